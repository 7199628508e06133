"""What is wrong with files, options and records is said all at once, in one form, with what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radoscope.api import forecast
from radoscope.cli.predict import command as predict_command
from radoscope.cli.promises import read_promise
from radoscope.cli.simulate import command as simulate_command
from radoscope.errors import PlanError
from radoscope.faults import Fault, Faults, near, place_text, unknown_key
from radoscope.plan import load
from radoscope.plan.schema import check_plan
from radoscope.predict.cluster import read_cluster
from radoscope.predict.facts import read_facts
from radoscope.sandbox.spec import load_spec, read_spec

CELL = {"layer": "rbd", "op": "write", "block": "4K"}


def promise(text: str, folder: Path) -> None:
    file = folder / "ours.toml"
    file.write_text(text, encoding="utf-8")
    read_promise(str(file))


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (
            lambda _: check_plan({"name": "a", "rond": 1, "cells": [CELL]}, "a.toml"),
            "a.toml: rond: unknown key, did you",
        ),
        (lambda _: check_plan({"name": "a", "cells": [{**CELL, "op": "writes"}]}, "a.toml"), "did you mean write?"),
        (lambda _: read_cluster("nodes = 3\nnetwrk_Gbps = 10"), "netwrk_Gbps: unknown key, did you mean network_Gbps?"),
        (lambda _: read_cluster("nodes = 3\naccess = 'krbd'"), "clients.access: 'krbd' is none of rados_bench"),
        (lambda _: read_spec("host = 3", "lab.toml"), "lab.toml: host: unknown key, did you mean hosts?"),
        (lambda _: read_spec("[disk]\nflsh = '2ms'", "lab.toml"), "disk: flsh: unknown key, did you mean flush?"),
        (lambda _: read_facts({"op": "rand_writ"}), "op: 'rand_writ' is none of"),
        (lambda _: read_facts({"op": "rand_writ"}), "did you mean rand_write?"),
        (lambda folder: promise("read_iop = 5\nwrite_iops = 5", folder), "did you mean read_iops?"),
    ],
)
def test_every_reader_says_what_was_probably_meant(read: Callable[[Path], object], said: str, tmp_path: Path) -> None:
    with pytest.raises(PlanError) as caught:
        read(tmp_path)
    assert said in caught.value.message


@pytest.mark.parametrize(
    "read",
    [
        load,
        load_spec,
        read_promise,
        lambda file: predict_command.main([file], standalone_mode=False),
        lambda file: simulate_command.main([file], standalone_mode=False),
        lambda file: forecast(Path(file)),
    ],
)
def test_a_file_that_is_no_settings_is_refused_with_its_name(read: Callable[[str], object], tmp_path: Path) -> None:
    contents = {
        "large.toml": b"# " + b"x" * 2**20, "binary.toml": b"\xff\xfe\x00", "deep.toml": b"x = " + b"[" * 5000,
    }  # fmt: skip
    for name, content in contents.items():
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(PlanError, match=r"larger than 1 MiB|not UTF-8 text|nested too deep"):
            read(str(file))


@pytest.mark.parametrize("read", [read_cluster, lambda text: read_spec(text, "lab.toml")])
def test_what_is_no_toml_is_named_with_its_line(read: Callable[[str], object]) -> None:
    with pytest.raises(PlanError, match=r"not TOML: .*line 2"):
        read("a = 1\nb = = 2\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [("a = " + "[" * 5000 + "]" * 5000, "nested too deep"), ("a = " + "9" * 5000, "not TOML: .*digits")],
)
def test_what_no_hand_wrote_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(PlanError, match=said) as caught:
        read_cluster(text)
    assert "\n" not in caught.value.message


def test_a_file_of_an_editor_on_windows_is_read() -> None:
    assert read_cluster("\ufeffnodes = 3\r\nsize = 2\r\n").facts.nodes == 3


def test_of_very_many_faults_the_first_are_listed() -> None:
    message = Faults("x.toml", [Fault(f"k{i}", "is needed") for i in range(200_000)]).error().message
    assert message.startswith("x.toml: 200,000 faults\n  - k0: is needed\n")
    assert message.endswith("\n  - and 199,980 more")
    assert len(message) < 1000


def test_faults_are_counted_and_listed_and_each_hint_is_given_once() -> None:
    faults = Faults("x.toml", [Fault("a", "is needed", "Write a."), Fault("b", "is needed", "Write a.")])
    error = faults.error("See the docs.")
    assert error.message == "x.toml: 2 faults\n  - a: is needed\n  - b: is needed"
    assert error.hint == "Write a. See the docs."
    Faults().raise_any()


def test_a_word_like_none_that_is_known_gets_the_whole_list() -> None:
    assert near("xyz", ["rounds", "seconds"]) == ""
    assert unknown_key("xyz", ["rounds", "seconds"]) == "unknown key; known: rounds, seconds"


def test_places_are_written_as_people_count() -> None:
    assert place_text(("cells", 1, "op", "list[Operation]", 0)) == "cells[2].op[1]"
