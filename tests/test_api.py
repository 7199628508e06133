"""The Python API does what docs/api.md shows, on two bundles of an earlier release."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import radoscope
from radoscope.workflow.library import import_text

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"
BUNDLES = ROOT / "tests" / "captures" / "bundles" / "0.1.0"
A, B = "20261122-155153-small-b3c6", "20261122-155233-small-91f3"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host with two studies."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    for name in ("small-a", "small-b"):
        with tarfile.open(BUNDLES / f"{name}.tar.gz") as packed:
            packed.extractall(tmp_path / "studies", filter="data")
    return tmp_path


def test_the_examples_of_the_page_print_what_it_shows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "docs/api.md", str(PAGE), 0)
    said: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert results.attempted > 20
    assert results.failed == 0, "".join(said)


def test_the_page_names_every_public_name() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [name for name in radoscope.__all__ if not name.startswith("_") and f"{name}" not in text]
    assert missing == []


def test_every_public_name_is_there_and_listed() -> None:
    for name in radoscope.__all__:
        assert getattr(radoscope, name) is not None
        assert name in dir(radoscope)


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        _ = radoscope.laod


def test_importing_loads_neither_numpy_nor_pydantic() -> None:
    script = "import sys, radoscope; print([m for m in ('numpy', 'scipy', 'pydantic', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_studies_are_listed_newest_first() -> None:
    assert radoscope.studies() == (B, A)


def test_a_study_loads_by_path_and_by_id_alike(home: Path) -> None:
    assert radoscope.load(home / "studies" / A) == radoscope.load(A)


def test_loaded_studies_are_compared_like_their_names() -> None:
    assert radoscope.compare(radoscope.load(A), radoscope.load(B)) == radoscope.compare(A, B)


def test_a_cell_that_does_not_exist_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="no-such-cell"):
        radoscope.load(A)["no-such-cell"]


def test_studies_without_a_common_cell_are_refused() -> None:
    pasted = next((ROOT / "tests" / "captures" / "rados_bench").rglob("*.txt")).read_bytes()
    imported = import_text(pasted, "a page").entry
    assert imported is not None
    with pytest.raises(radoscope.RadoscopeError, match="no cell in common"):
        radoscope.compare(A, imported.id)


def test_files_and_folders_are_read_like_text(tmp_path: Path) -> None:
    text = (
        "--- 10.0.0.1 ping statistics ---\n"
        "10 packets transmitted, 10 received, 0% packet loss, time 9012ms\n"
        "rtt min/avg/max/mdev = 0.100/0.200/0.300/0.050 ms\n"
    )
    (tmp_path / "ping.txt").write_text(text, encoding="utf-8")
    assert radoscope.read(tmp_path / "ping.txt").results == radoscope.read(text).results != ()
    assert len(radoscope.read(tmp_path).results) >= 1


def test_a_missing_file_is_an_error_with_a_hint(tmp_path: Path) -> None:
    for asked in (lambda: radoscope.read(tmp_path / "none"), lambda: radoscope.forecast(tmp_path / "none.toml")):
        with pytest.raises(radoscope.RadoscopeError) as caught:
            asked()
        assert caught.value.hint
