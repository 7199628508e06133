"""Ways to hosts that answer or do not, and what is said of monitors that do not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.ceph.silence import monitors_of
from radoscope.errors import SiteError
from radoscope.sites import Site
from radoscope.sites.ways import ways


@dataclass(frozen=True, slots=True)
class There:
    """A site whose ping, ip and the MTU of whose interface are stand-ins."""

    tools: Path
    name: str
    folder: Path = Path("/nowhere")

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("env", f"PATH={self.tools}:/usr/bin:/bin", *argv)


Pings = Callable[..., Site]


@pytest.fixture
def pings(tmp_path: Path) -> Pings:
    """The cases of a shell's `case` on the arguments of ping -> a site with an MTU of 9,000, or another one."""

    def made(cases: str, mtu_bytes: int = 9000) -> Site:
        mtu = f'#!/bin/sh\ncase "$1" in /sys/*) echo {mtu_bytes};; *) exec /bin/cat "$@";; esac\n'
        ping = f'#!/bin/sh\necho 2 packets transmitted\ncase "$*" in {cases} esac\nexit 0\n'
        for name, text in (("ping", ping), ("ip", '#!/bin/sh\necho "$4 dev jumbo0 src 10.0.0.1"\n'), ("cat", mtu)):
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o755)
        return There(tmp_path, name=str(tmp_path))

    return made


def test_ways_are_tried_side_by_side_and_what_does_not_answer_is_told(pings: Pings) -> None:
    """10.0.0.3 is silent, 10.0.0.4 loses jumbo frames, to 10.0.0.5 ping may not send."""
    site = pings("*10.0.0.3) exit 1;; *do*10.0.0.4) exit 1;; *10.0.0.5) exit 2;;")
    hosts = [(f"c{n}", f"10.0.0.{n}") for n in (2, 3, 4, 5)]
    found = {way.host: (way.mtu, way.answers, way.large) for way in ways(site, hosts)}
    assert found == {
        "c2": (9000, True, True),
        "c3": (9000, False, None),
        "c4": (9000, True, False),
        "c5": (9000, None, None),
    }


@pytest.mark.parametrize(
    ("cases", "mtu", "large"),
    [
        ("*do*) exit 1;;", 1500, False),
        ("*do*) echo Frag needed and DF set; exit 1;;", 1500, None),
        ("*do*) echo 'ping: local error: message too long, mtu=1450'; exit 1;;", 1500, None),
        ("*do*) echo Frag needed and DF set; exit 1;;", 9000, False),
        ("", 1500, True),
    ],
)
def test_a_smaller_mtu_that_is_told_on_the_way_is_no_black_hole(
    pings: Pings, cases: str, mtu: int, large: bool | None
) -> None:
    """TCP adapts to it, as in tunnels; but who has set 9,000 wants them."""
    [way] = ways(pings(cases, mtu), [("c2", "10.0.0.2")])
    assert (way.answers, way.mtu, way.large) == (True, mtu, large)


@pytest.mark.parametrize("said", ["Usage: ping HOST", "ping: invalid option -- 'M'"])
def test_a_ping_that_cannot_send_such_packets_tells_nothing_of_the_way(pings: Pings, said: str) -> None:
    site = pings("")
    assert isinstance(site, There)
    (site.tools / "ping").write_text(f'#!/bin/sh\ncase "$*" in *do*) echo "{said}" >&2; exit 1;; esac\n')
    [way] = ways(site, [("c2", "10.0.0.2")])
    assert (way.answers, way.large) == (True, None)


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        (
            "*do*) exit 1;;",
            "10.0.0.2, 10.0.0.3: pings are answered, but not those of 9,000 bytes, the MTU of this host's interface. "
            "A switch or a host on the way has a smaller one, so large packets get lost: set the same MTU everywhere. "
            "Check with ping -M do -s 8972 10.0.0.2.",
        ),
        ("*) exit 1;;", "No monitor answers pings: 10.0.0.2, 10.0.0.3. Is the network up, and is it the right one?"),
        (
            "*10.0.0.3) exit 1;;",
            "Are the monitors running, in quorum, and reachable from this host? Is the keyring the right one? "
            "No answer to pings: 10.0.0.3.",
        ),
        (
            "",
            "All monitors' hosts answer pings (10.0.0.2, 10.0.0.3). "
            "Are the monitors running and in quorum? Is the keyring the right one?",
        ),
        (
            "*) exit 2;;",
            "Are the monitors running, in quorum, and reachable from this host? Is the keyring the right one?",
        ),
    ],
)
def test_monitors_that_do_not_answer_are_pinged(pings: Pings, tmp_path: Path, cases: str, told: str) -> None:
    site = pings(cases)
    conf = tmp_path / "ceph.conf"
    conf.write_text("[global]\nmon_host = [v2:10.0.0.2:3300/0,v1:10.0.0.2:6789/0] 10.0.0.3\n")

    def say_nothing(prefix: str, /, **_: object) -> bytes:
        raise SiteError(f"ceph {prefix}: timed out")

    with pytest.raises(SiteError, match="does not answer: ceph status: timed out") as refused:
        Cluster(conf=conf, site=site, tell=say_nothing).ceph("status")
    assert refused.value.hint == told


def test_the_ping_that_is_proposed_has_room_for_the_headers_of_its_protocol(pings: Pings) -> None:
    found = ways(pings(""), [("c2", "10.0.0.2"), ("c3", "fd00::3")])
    assert [way.payload for way in found] == [8972, 8952]


@pytest.mark.parametrize(
    ("line", "addresses"),
    [
        ("mon host = 10.1.1.1,10.1.1.2:6789", ("10.1.1.1", "10.1.1.2")),
        ("  mon_host=[v2:192.168.7.4:3300/0,v1:192.168.7.4:6789/0]", ("192.168.7.4",)),
        ("mon host = [v2:[fd00::7]:3300,v1:[fd00::7]:6789], [fd00::8]", ("fd00::7", "fd00::8")),
        ("mon host = ceph-a.example, ceph-b", ()),
        ("# mon host = 10.1.1.1", ()),
        ("mon initial members = a,b", ()),
    ],
)
def test_addresses_of_monitors_are_read_from_a_conf(line: str, addresses: tuple[str, ...]) -> None:
    assert monitors_of(f"[global]\nfsid = 1\n{line}\nkeyring = /k\n") == addresses
