"""How a command reaches a host: the argv of each site."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from radoscope.sites import Local, NetworkNamespace, Site, Ssh

ODD = ("fio", "--name=two words", "--filename=/tmp/a'b;rm -rf $HOME")


@pytest.mark.parametrize(
    ("site", "before"),
    [
        (Local(), ()),
        (NetworkNamespace("radoscope-1-h1", "h1"), ("ip", "netns", "exec", "radoscope-1-h1")),
    ],
)
def test_on_this_machine_the_words_stay_as_they_are(site: Site, before: tuple[str, ...]) -> None:
    assert site.wrap(ODD) == (*before, *ODD)
    assert site.folder is None


def test_ssh_quotes_the_words_for_the_shell_over_there_and_asks_nobody_anything() -> None:
    site = Ssh("root@node1", Path("/tmp/run"), config=Path("my config"))
    argv = site.wrap(ODD)
    assert argv[:3] == ("ssh", "-F", "my config")
    assert "BatchMode=yes" in argv
    assert argv[-3:-1] == ("--", "root@node1")
    assert tuple(shlex.split(argv[-1])) == ODD
    assert site.name == "node1"
