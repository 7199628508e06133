"""The sandbox's small C programs: built once with this machine's compiler, kept in RADOSCOPE_HOME by their content."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from importlib import resources
from pathlib import Path

from radoscope import paths
from radoscope.errors import ToolFailed
from radoscope.sandbox.processes import SEARCH_PATH, run_tool

_COMPILERS = ("cc", "gcc", "clang")


def build(source: str, flags: tuple[str, ...], purpose: str, otherwise: str) -> Path:
    """The program of a C file of this package, built when it is not there yet.

    purpose: what needs it, "this disk"; otherwise: what works without a compiler. Raises ToolFailed without one.
    """
    target = path_of(source)
    if target.exists():
        return target
    compiler = _compiler()
    if compiler is None:
        raise ToolFailed(
            f"{purpose} needs a C compiler once, and there is none", f"apt install gcc libc6-dev; or {otherwise}"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        text, draft = Path(folder) / source, Path(folder) / "built"
        text.write_text(_text(source))
        run_tool((compiler, "-O2", "-o", str(draft), str(text), *flags))
        draft.replace(target)
    return target


def can_build(source: str) -> bool:
    """Whether it is there or could be built."""
    return path_of(source).exists() or _compiler() is not None


def path_of(source: str) -> Path:
    """Where it is once it is built: another content has another path."""
    version = hashlib.sha256(_text(source).encode()).hexdigest()[:12]
    return paths.home() / "lib" / f"{Path(source).stem.replace('_', '-')}-{version}"


def _text(source: str) -> str:
    return resources.files("radoscope.sandbox").joinpath(source).read_text()


def _compiler() -> str | None:
    found = (shutil.which(name, path=SEARCH_PATH) for name in _COMPILERS)
    return next((path for path in found if path is not None), None)
