"""radoscope compare: is B faster than A?"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from radoscope.errors import PlanError
from radoscope.records.fields import PERCENT_OF, latency_field
from radoscope.units import parse_share

if TYPE_CHECKING:
    from radoscope.records.study import Study
    from radoscope.stats.compare import ComparedFigure, Comparison
    from radoscope.stats.targets import Promise

# numpy, scipy, rich and the stages are imported within the functions: --help needs none of them.

GATE_CLOSED = 99
"""Exit code where --fail-if holds."""

_QUANTITIES = {"": "headline", "rate": "headline", "mean": latency_field(None)}
_CONDITION = re.compile(
    r"\s*(?:(rate|mean|p[0-9.]+)\s+)?(slower|faster|different|undecided|not comparable)\s*(?:>\s*([0-9.]+\s*%?))?\s*"
)


@dataclass(frozen=True, slots=True)
class Gate:
    """What --fail-if asks: any cell with this verdict, by more than `beyond`."""

    text: str
    quantity: str
    verdict: str
    beyond: float

    def closes_on(self, figure: ComparedFigure) -> bool:
        from radoscope.stats.values import Undecided
        from radoscope.stats.verdict import Faster, NotComparable, Slower

        kinds: dict[str, type | tuple[type, ...]] = {
            "slower": Slower,
            "faster": Faster,
            "different": (Slower, Faster),
            "undecided": Undecided,
            "not comparable": NotComparable,
        }
        verdict = figure.verdict
        if not isinstance(verdict, kinds[self.verdict]):
            return False
        return not isinstance(verdict, Slower | Faster) or verdict.by > self.beyond


@click.command()
@click.argument("studies", nargs=-1, required=True, metavar="A [B] [C...]")
@click.option("--margin", default="5%", show_default=True, help="The smallest difference that matters to you.")
@click.option(
    "--although", multiple=True, metavar="WHAT", help="Compare cells although they differ in this; repeatable."
)
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="Exit with 99 if it holds: 'slower > 5%'.")
@click.option("--pool-runs", is_flag=True, help="Pool all studies: they are runs of the same thing.")
@click.option(
    "--target",
    metavar="NAME|FILE",
    help="How many clients can have this service level at once? sakura-standard, ebs-gp3.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(
    studies: tuple[str, ...],
    margin: str,
    although: tuple[str, ...],
    fail_if: tuple[str, ...],
    pool_runs: bool,
    target: str | None,
    as_json: bool,
) -> None:
    """Is B faster than A? Two or more studies, cell by cell, with intervals.

    A, B: an id, the beginning of one, a path, or "last". Several runs of one side are joined with +: A1+A2 B1+B2. A
    single study is compared with itself: its cells with 1, 2, 4... clients.
    """
    gates = [read_gate(text) for text in fail_if]
    share = parse_share(margin)
    sides = [[_load(name) for name in side.split("+")] for side in studies]
    if target is not None:
        from radoscope.cli.promises import read_promise

        _show_target([study for side in sides for study in side], read_promise(target), as_json)
    elif pool_runs:
        _show_pool([study for side in sides for study in side], as_json)
    elif len(sides) == 1 and len(sides[0]) == 1:
        _show_scaling(sides[0][0], as_json)
    elif len(sides) == 1:
        raise PlanError("one side only", "Give two: radoscope compare A1+A2 B1+B2; or pool one with --pool-runs.")
    else:
        from radoscope.workflow import compare_studies

        comparisons = compare_studies(sides[0], sides[1:], margin=share, although=although)
        _show_comparisons(comparisons, as_json)
        close_on(gates, comparisons)


def read_gate(text: str) -> Gate:
    """ "slower > 5%", "p99 slower > 10%", "undecided" -> Gate. Raises PlanError."""
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise PlanError(
            f"--fail-if {text!r} is not understood", "Write 'slower > 5%', 'p99 slower > 10%' or 'undecided'."
        )
    named = match[1] or ""
    quantity = _QUANTITIES.get(named) or _percentile_of(named)
    return Gate(text.strip(), quantity, match[2], parse_share(match[3]) if match[3] else 0.0)


def _percentile_of(named: str) -> str:
    """ "p99.9" -> "latency_p999_s". Raises PlanError for one that cells do not report."""
    quantity = f"latency_{named}_s".replace(".", "")
    if quantity not in PERCENT_OF:
        known = ", ".join(f"p{percent:g}" for percent in PERCENT_OF.values())
        raise PlanError(f"--fail-if: {named} is not reported", f"There are {known}, mean and rate.")
    return quantity


def _load(name: str) -> Study:
    from radoscope.workflow import load_study

    return load_study(name.strip())


def _show_comparisons(comparisons: tuple[Comparison, ...], as_json: bool) -> None:
    from radoscope import wire
    from radoscope.cli import compared

    if as_json:
        rows = [wire.comparison(each) for each in comparisons]
        click.echo(json.dumps(wire.document("comparison", comparisons=rows), indent=1))
    else:
        compared.print_comparisons(comparisons)


def _show_pool(studies: list[Study], as_json: bool) -> None:
    from radoscope import wire
    from radoscope.cli import compared
    from radoscope.stats.compare import pool_studies

    pools = pool_studies(studies)
    if as_json:
        rows = [{"cell": cell.name, "title": cell.title, "pool": pool} for cell, pool in pools]
        click.echo(json.dumps(wire.document("pool", studies=[study.id for study in studies], cells=rows), indent=1))
    else:
        compared.print_pools(pools, len(studies))


def _show_scaling(study: Study, as_json: bool) -> None:
    from radoscope import wire
    from radoscope.cli import compared
    from radoscope.stats.scaling import scaling_steps

    steps = scaling_steps(study)
    if not steps:
        raise PlanError(
            f"{study.id} alone has nothing to compare: no cells differ only in their number of clients",
            "Give a second study: radoscope compare A B",
        )
    if as_json:
        click.echo(json.dumps(wire.document("scaling", study=study.id, steps=steps), indent=1))
    else:
        compared.print_steps(steps)


def _show_target(studies: list[Study], target: Promise, as_json: bool) -> None:
    from radoscope import wire
    from radoscope.cli import compared
    from radoscope.stats.summarise import summarise
    from radoscope.stats.targets import answer

    answers = [(study, answer(summarise(study), target)) for study in studies]
    if not any(found for _, found in answers):
        raise PlanError(
            f"{target.name} needs RBD cells of its block size, and there are none",
            "radoscope study --plan standard has cells with 1, 2, 4 and 8 images.",
        )
    if as_json:
        rows = [{"study": study.id, "answers": found} for study, found in answers]
        click.echo(json.dumps(wire.document("target", target=target, studies=rows), indent=1))
    else:
        for study, found in answers:
            compared.print_answers(study, target, found)


def close_on(gates: Sequence[Gate], comparisons: tuple[Comparison, ...]) -> None:
    """Exit with 99 where a gate's condition holds for any cell."""
    caught = [
        f"{cell.cell.name}: {gate.text}"
        for gate in gates
        for comparison in comparisons
        for cell in comparison.cells
        for figure in ((cell.headline,) if gate.quantity == "headline" else (cell.headline, *cell.others))
        if gate.quantity in ("headline", figure.quantity) and gate.closes_on(figure)
    ]
    for line in caught:
        click.secho(f"radoscope: {line}", fg="red", err=True)
    if caught:
        sys.exit(GATE_CLOSED)
