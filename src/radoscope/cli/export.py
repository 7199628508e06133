"""radoscope export: results as JSON, CSV or Parquet, one row a result; or all raw files of a study as one file."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from radoscope.errors import PlanError, StoreError, ToolFailed
from radoscope.units import format_bytes

_TEXTS = frozenset(
    ("study", "kind", "study_title", "target", "cell", "cell_title", "layer", "outcome", "tool", "op", "sync")
)
_COUNTS = frozenset(("number", "round", "clients", "queue_depth", "jobs", "block_bytes", "first_line", "last_line"))
_BY_SUFFIX = {".json": "json", ".csv": "csv", ".parquet": "parquet", ".tar.gz": "bundle", ".tgz": "bundle"}


@click.command()
@click.argument("studies", metavar="[STUDY...]", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All studies and imports of this host.")
@click.option(
    "-f",
    "--format",
    "chosen",
    type=click.Choice(sorted({*_BY_SUFFIX.values()})),
    help="Default: by the file's name, else JSON.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Default: standard output.")
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
def command(
    studies: tuple[str, ...], everything: bool, chosen: str | None, output: Path | None, anonymous: bool
) -> None:
    """Export results as JSON, CSV or Parquet: one row per run, client process and direction.

    Units are in the names of the columns: seconds, bytes, per second. Empty or null: the tool did not say.

    With -o FILE.tar.gz, the bundle: all raw files of one study, to be handed on; unpacked, show and report read it.
    """
    from radoscope.workflow.library import open_store  # start-up time

    if bool(studies) == everything:
        raise PlanError("nothing to export", "Name studies (radoscope list shows them), or give --all.")
    kind = chosen or next((kind for end, kind in _BY_SUFFIX.items() if output and output.name.endswith(end)), "json")
    if kind == "bundle":
        _pack(studies, output, anonymous)
        return
    store = open_store()
    names = [entry.id for entry in store.list()] if everything else studies
    rows = store.results(names)
    if not rows:
        raise StoreError("there is no result to export", "radoscope list shows what there is.")
    if anonymous:
        from radoscope.workflow.pack import rows_without_names  # start-up time

        rows = rows_without_names(rows)
    _write(_as_bytes(rows, kind), output)


def _pack(studies: tuple[str, ...], output: Path | None, anonymous: bool) -> None:
    from radoscope.workflow.pack import pack  # start-up time

    if len(studies) != 1:
        raise PlanError("a bundle holds one study", "Name one: radoscope export STUDY -o STUDY.tar.gz")
    if output is None:
        raise PlanError("a bundle is written to a file", f"Name one: radoscope export {studies[0]} -o STUDY.tar.gz")
    packed = pack(studies[0], output, anonymous=anonymous)
    click.echo(f"{output}: {packed.files} files, {format_bytes(packed.size_bytes)}", err=True)
    if anonymous:
        click.echo(
            f"{packed.replaced} names, addresses and paths were replaced; every number still reads the same. "
            "Names that occur only in free text cannot be recognised: look through the files before you post them.",
            err=True,
        )


def _as_bytes(rows: Sequence[dict[str, Any]], kind: str) -> bytes:
    if kind == "csv":
        return _as_csv(rows)
    if kind == "parquet":
        return _as_parquet(rows)
    from radoscope import wire  # start-up time

    told = wire.document("results", results=rows)
    return (json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _as_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """Texts come from anywhere: a spreadsheet must not take one for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value


def _as_parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    try:
        import pyarrow as arrow  # an optional extra, and slow to load
        import pyarrow.parquet as parquet
    except ImportError:
        raise ToolFailed("Parquet needs pyarrow", "pip install 'radoscope[export]', or export as CSV.") from None
    types = {
        name: arrow.string() if name in _TEXTS else arrow.int64() if name in _COUNTS else arrow.float64()
        for name in rows[0]
    }
    sink = arrow.BufferOutputStream()
    parquet.write_table(arrow.Table.from_pylist(list(rows), schema=arrow.schema(types)), sink, compression="zstd")
    return bytes(sink.getvalue())


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        if content.startswith(b"PAR1") and sys.stdout.isatty():
            raise PlanError("refusing to write binary Parquet to a terminal", "Name a file with -o.")
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror}") from None
