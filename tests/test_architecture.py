"""The rules of direction are kept, and the documents name what there is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_imports_keep_the_direction() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_architecture_fits_a_page_or_two() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 150


def test_no_function_is_longer_than_a_screen() -> None:
    """Of 56 lines: what is longer does two things."""
    long = {
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= 56
    }
    assert long == set()


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for page in (ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not target.startswith("http") and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_key_of_a_plan_is_documented() -> None:
    from radoscope.plan.schema import CellPlan, Plan

    text = (ROOT / "docs" / "plans.md").read_text(encoding="utf-8")
    for key in set(CellPlan.model_fields) | set(Plan.model_fields) - {"title", "source", "cells"}:
        assert re.search(rf"`{key}`|^{key} = ", text, re.MULTILINE), key


@pytest.mark.parametrize("page", ["README.md", "docs/safety.md", "docs/plans.md"])
def test_pages_for_users_exist(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8")) > 500


def test_no_changelog_fragment_links_an_issue_that_nobody_can_read() -> None:
    fragments = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name not in ("README.md", ".gitignore")]
    assert [name for name in sorted(fragments) if not re.fullmatch(r"\+.+\.(added|changed|fixed)\.md", name)] == []
