"""What was computed of a bundle and shown, kept beside the bundles: to show it again nothing is read or computed.

The bundle's files, radoscope's own, the reader's language and the words of the one who shows it decide whether it still
holds. Where nothing can be kept it is computed anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from radoscope import __version__, paths
from radoscope.words import reader

_MOST = 200


def place_of(folder: Path, *words: str) -> Path:
    """The file of what is shown of the bundle in `folder`. words: what else it depends on."""
    told = [str(folder.resolve()), *words, reader(), __version__]
    digest = hashlib.sha256("\0".join(told).encode("utf-8", "surrogateescape"))
    for stamp in (*sorted(_stamps(folder)), *_program()):
        digest.update(stamp.encode("utf-8", "surrogateescape"))
    return paths.shown() / f"{digest.hexdigest()[:40]}.txt"


def recall(place: Path) -> str | None:
    """None where nothing was kept, or it is damaged."""
    try:
        text = place.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    with suppress(OSError):
        os.utime(place)  # the newest are those that are looked at
    return text


def keep(place: Path, text: str, most: int = _MOST) -> None:
    """most: of its kind, told by the file's ending, how many stay; those that were looked at last."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(text.encode("utf-8"))
        fresh.replace(place)
        for old in sorted(place.parent.glob(f"*{place.suffix}"), key=lambda one: one.stat().st_mtime)[:-most]:
            old.unlink(missing_ok=True)


@cache
def _program() -> tuple[str, ...]:
    """Of the program that runs: asked once, because a server shows many bundles."""
    return tuple(sorted(_stamps(Path(__file__).parents[1])))


def _stamps(folder: Path) -> Iterator[str]:
    """Each file with its size and the time of its last change; caches of Python are none of the program."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            with suppress(OSError):
                state = Path(parent, name).stat()
                yield f"{parent}/{name}\0{state.st_size}\0{state.st_mtime_ns}\n"
