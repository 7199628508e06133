"""radoscope report: a study as one HTML and one Markdown file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from radoscope.cli.next_steps import complete_study
from radoscope.errors import StoreError

if TYPE_CHECKING:
    from radoscope.report.material import Material

# jinja2 and the stages are imported within the functions: --help needs none of them.


@click.command()
@click.argument("study", default="last", shell_complete=complete_study)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=".",
    show_default="here",
    help="Folder to write into, or the page itself, NAME.html.",
)
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
@click.option("--quiet", is_flag=True, help="Do not print where the files are.")
def command(study: str, output: Path, anonymous: bool, quiet: bool) -> None:
    """Write a study as one HTML and one Markdown file.

    STUDY is an id, the beginning of one, a path, or "last" for the newest.
    """
    from radoscope.workflow import assess, load_study

    write_report(assess(load_study(study, anonymous=anonymous)), output, quiet=quiet)


def write_report(material: Material, place: Path, *, quiet: bool) -> None:
    """Write ID.html and ID.md into a folder, which is made where it is missing, or NAME.html and NAME.md where that is
    the place. Raises StoreError."""
    from radoscope.report import render_html, render_markdown

    page = place if place.suffix == ".html" and not place.is_dir() else place / f"{material.study.id}.html"
    text = page.with_suffix(".md")
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render_html(material), encoding="utf-8")
        text.write_text(render_markdown(material), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"the report cannot be written: {error}", "Choose another place with -o.") from error
    if not quiet:
        click.echo(f"Report: {page.absolute()}")
        click.echo(f"        {text.absolute()}")
