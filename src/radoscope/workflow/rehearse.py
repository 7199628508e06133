"""Where a recorded bundle is found that is to be rehearsed."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from radoscope.errors import StoreError
from radoscope.workflow.assess import study_folder
from radoscope.workflow.scratch import scratch

EXAMPLE = "example"
"""A bundle that comes with radoscope: twelve cells on a sandbox of three OSDs with consumer drives, on two cores."""


@contextmanager
def recorded(name: str) -> Iterator[Path]:
    """The folder of a bundle, within. name: as for `study_folder`, or a file as `radoscope export` packs it, or
    "example", which comes with radoscope. Raises StoreError."""
    if name == EXAMPLE:
        example = resources.files("radoscope.workflow") / f"{EXAMPLE}.tar.xz"
        with resources.as_file(example) as packed, recorded(str(packed)) as folder:
            yield folder
    elif Path(name).is_file():
        with scratch() as folder:
            yield _unpacked(Path(name), folder)
    else:
        yield study_folder(name)


def _unpacked(packed: Path, folder: Path) -> Path:
    try:
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, OSError, EOFError) as error:
        raise StoreError(
            f"{packed} is no packed study: {error}", "radoscope export STUDY -o X.tar.gz packs one."
        ) from None
    return study_folder(str(next(folder.iterdir(), folder)))
