"""Goldens: rendered texts that are compared as a whole. RADOSCOPE_UPDATE_GOLDEN=1 rewrites them; review the diff."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "golden" / "report"

CheckGolden = Callable[[str, str], None]


@pytest.fixture
def golden() -> CheckGolden:
    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("RADOSCOPE_UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing: run with RADOSCOPE_UPDATE_GOLDEN=1 and review what it holds"
        assert text == path.read_text(encoding="utf-8"), f"{name} changed: see RADOSCOPE_UPDATE_GOLDEN=1"

    return check
