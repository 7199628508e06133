"""The site of the documentation builds strictly, holds every page, and loads nothing from a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="mkdocs is missing: scripts/ensure-python docs")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_is_in_the_navigation(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if f'href="{page}"' not in home and page.name != "index.html"] == []


def test_no_page_loads_anything_from_a_network(site: Path) -> None:
    loading = re.compile(r'<(?:script|img|iframe)[^>]+src="(?:https?:)?//[^"]*"|<link[^>]+stylesheet[^>]+href="https?:')
    found = {page.name: loading.findall(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}
    assert {name: urls for name, urls in found.items() if urls} == {}
