"""`radoscope show` a second time, and `radoscope` alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli.main import command

BEGIN = ("study", "--rehearse", "example", "--quiet")


def _radoscope(home: Path, *words: str, **environment: str) -> str:
    known = {"RADOSCOPE_HOME": str(home), "LANG": "C.UTF-8", **environment}
    done = CliRunner().invoke(command, words, env=known, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    _radoscope(home, *BEGIN)
    return home


def test_a_second_show_prints_the_same_and_computes_nothing(home: Path) -> None:
    script = "import sys; from radoscope.cli.main import main\nsys.argv = ['radoscope', 'show']\n"
    script += "try: main()\nexcept SystemExit: pass\n"
    script += "print(*(one for one in ('numpy', 'scipy', 'rich', 'pydantic') if one in sys.modules), file=sys.stderr)"
    first, second = (
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "RADOSCOPE_HOME": str(home), "LANG": "C.UTF-8"},
        )
        for _ in range(2)
    )
    assert second.stdout == first.stdout != ""
    assert (first.stderr.strip(), second.stderr.strip()) == ("rich pydantic", "")


def test_what_was_kept_is_of_these_words_this_language_and_this_width(home: Path) -> None:
    plain = _radoscope(home, "show")
    assert json.loads(_radoscope(home, "show", "--json"))
    assert _radoscope(home, "show", "--lang", "de") != plain
    assert _radoscope(home, "show", FORCE_COLOR="1") != plain
    assert _radoscope(home, "show") == plain


def test_a_file_that_changed_is_read_again(home: Path) -> None:
    before = _radoscope(home, "show")
    manifest = next(home.glob("studies/*/manifest.json"))
    text = manifest.read_text()
    changed = json.loads(text)
    changed["target"] = "another place"
    manifest.write_text(json.dumps(changed))
    assert "another place" in _radoscope(home, "show")
    manifest.write_text(text)
    assert _radoscope(home, "show") == before


def test_a_kept_text_that_is_damaged_or_cannot_be_kept_changes_nothing(home: Path) -> None:
    before = _radoscope(home, "show")
    for kept in home.glob("shown/*.txt"):
        kept.write_bytes(b"\xff\xfe\x00")
    assert _radoscope(home, "show") == before
    for kept in home.glob("shown/*.txt"):
        kept.unlink()
    (home / "shown").rmdir()
    (home / "shown").write_text("in the way")
    assert _radoscope(home, "show") == before
    (home / "shown").unlink()


def test_radoscope_alone_says_what_to_do_next_here(home: Path, tmp_path: Path) -> None:
    begin = _radoscope(tmp_path)
    assert "radoscope study --rehearse example" in begin and "radoscope import FILE" in begin
    on = _radoscope(home)
    assert "the newest is" in on and "radoscope show" in on and "--rehearse" not in on
    (tmp_path / "journal").mkdir()
    left = [{"act": "begin", "run": "x", "pid": 1, "pid_started": "no"}, {"act": "create", "kind": "pool", "name": "p"}]
    (tmp_path / "journal" / "x.jsonl").write_text("\n".join(map(json.dumps, left)))
    assert "radoscope clean" in _radoscope(tmp_path)


def test_a_shell_completes_verbs_and_studies(home: Path) -> None:
    asked = {"_RADOSCOPE_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    script = "import sys; sys.argv = ['radoscope']; from radoscope.cli.main import main; main()"

    def completed(words: str, at: str) -> str:
        environment = {**os.environ, "RADOSCOPE_HOME": str(home), **asked, "COMP_WORDS": words, "COMP_CWORD": at}
        return subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
        ).stdout

    assert "plain,scenario" in completed("radoscope sc", "1")
    assert next(home.glob("studies/*")).name in completed("radoscope show 20", "2")
