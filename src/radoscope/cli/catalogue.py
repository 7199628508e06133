"""`radoscope catalogue`: published results and drives to compare with."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from radoscope.errors import PlanError


@click.group(name="catalogue")
def command() -> None:
    """Published results and drives to compare with, each with its source."""


@command.command()
@click.argument("name", required=False)
@click.option(
    "--class", "device_class", type=click.Choice(["hdd", "sata_ssd", "nvme"]), help="Only drives of this class."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, every published field.")
def drives(name: str | None, device_class: str | None, as_json: bool) -> None:
    """List drives and their published figures; with NAME, models that contain it."""
    from radoscope import catalogue  # start-up time: --help reads no data file

    rows = [
        row for row in catalogue.drives() if device_class in (None, row.device_class) and _contains(row.model, name)
    ]
    if not rows and name:
        rows = [catalogue.find_drive(name)]
    if as_json:
        for row in rows:
            click.echo(json.dumps({key: value for key, value in dataclasses.asdict(row).items() if value is not None}))
        return
    heading = f"{'drive':<42} {'class':<9} {'PLP':<4} {'durable 4K write':>17} {'4K read':>9}"
    click.echo(f"{heading} {'read MB/s':>10} {'write MB/s':>10}  source")
    for row in sorted(rows, key=lambda one: (one.device_class, one.sync_write_4k_qd1_latency_us or 1e9)):
        durable = f"{row.sync_write_4k_qd1_latency_us:,.0f} µs" if row.sync_write_4k_qd1_latency_us else "-"
        read = f"{1e6 / row.read_4k_qd1_iops:,.0f} µs" if row.read_4k_qd1_iops else "-"
        plp = {True: "yes", False: "no", None: "?"}[row.plp]
        click.echo(
            f"{row.model[:42]:<42} {row.device_class:<9} {plp:<4} {durable:>17} {read:>9} "
            f"{_number(row.seq_read_MBps):>10} {_number(row.seq_write_MBps):>10}  {row.source_id}"
        )


@command.command()
@click.option("--source", help="Only this source_id.")
@click.option("--drive", help="Only results whose data drive contains this.")
@click.option(
    "--op",
    type=click.Choice(["seq_read", "seq_write", "rand_read", "rand_write", "mixed"]),
    help="Only this operation.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, every published field.")
def results(source: str | None, drive: str | None, op: str | None, as_json: bool) -> None:
    """List published results of Ceph clusters."""
    from radoscope import catalogue  # start-up time: --help reads no data file

    known = sorted({row.source_id for row in catalogue.results()})
    if source is not None and source not in known:
        raise PlanError(f"there is no source {source!r}", f"Known: {', '.join(known)}.")
    rows = [row for row in catalogue.results() if _wanted(row.fields, source, drive, op)]
    if as_json:
        for row in rows:
            click.echo(json.dumps(dict(row.fields), ensure_ascii=False))
        return
    click.echo(
        f"{'id':<30} {'nodes':>5} {'drive':<26} {'op':<10} {'block':>8} {'depth':>6} {'clients':>7} {'IOPS':>11}"
    )
    for row in rows:
        f = row.fields
        click.echo(
            f"{row.id:<30} {f.get('nodes') or '-':>5} {str(f.get('osd_device_model') or '-')[:26]:<26} {f['op']:<10} "
            f"{f.get('block_bytes') or '-':>8} {f.get('queue_depth') or '-':>6} {f.get('clients') or '-':>7} "
            f"{_number(row.iops):>11}"
        )
    titles = dict.fromkeys((row.fields["source_title"], row.fields.get("source_url")) for row in rows)
    click.echo(f"{len(rows)} results from:")
    for title, address in titles:
        click.echo(f"  {title}{f', {address}' if address else ''}")


def _wanted(fields: Any, source: str | None, drive: str | None, op: str | None) -> bool:
    return (
        source in (None, fields["source_id"])
        and op in (None, fields["op"])
        and _contains(str(fields.get("osd_device_model") or ""), drive)
    )


def _contains(text: str, part: str | None) -> bool:
    return part is None or part.lower() in text.lower()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"
