"""The report as Markdown for forums and issues: no HTML, tables that also read well as plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from radoscope.records.measurement import PERCENTILES
from radoscope.records.study import Study
from radoscope.report.document import is_command, when
from radoscope.report.material import Mark, Material, Section
from radoscope.report.numbers import Figure, figure, milliseconds, percent
from radoscope.report.sections import SECTIONS, response, times
from radoscope.report.sections.findings import weight
from radoscope.report.sections.ladder import every_ladder, step_title
from radoscope.report.sections.place import gather_facts
from radoscope.report.sections.scaling import HEADER, find_families, scaling_figures
from radoscope.report.sections.table import Row, build_rows, note_lines, percentile_rows
from radoscope.report.sections.verdict import more_time, write_verdict
from radoscope.report.words import SEVERITIES
from radoscope.stats.ladder import Ladder, LadderStep
from radoscope.stats.response import response_curves
from radoscope.units import format_seconds
from radoscope.words import _, columns, joined, padded

Rows = Sequence[Sequence[str]]
_OURS = {section.name: section for section in SECTIONS}


def render_markdown(material: Material) -> str:
    """Verdict, ladder, cells, percentiles, scaling, findings, place, command. All text of the study is escaped."""
    study, rows = material.study, build_rows(material)
    blocks = [
        *_head(study),
        *(escape_markdown(sentence) for sentence in write_verdict(material)),
        *(block for section in material.face.sections for block in _section(section, section.markdown(material))),
        *_response(material),
        *_ladders(material),
        *_times(material),
        *_cells(rows),
        *bullets((*note_lines(rows), *filter(None, (more_time(material),)))),
        *_percentiles(material),
        *_scaling(material),
        *_findings(material),
        *_place(study),
        *(() if study.imported else _section(_OURS["reproduce"], [fenced(material.command)])),
    ]
    return "\n\n".join(blocks) + "\n"


def escape_markdown(text: str) -> str:
    """Text that cannot become markup: specials get a backslash, line ends become blanks.

    An underscore inside a word is no markup in CommonMark and stays, so that names stay readable.
    """
    text = " ".join(text.split())
    text = re.sub(r"([\\`*<>\[\]|~])", r"\\\1", text)
    text = re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)
    return re.sub(r"^(#|[-+](?=\s)|=+$|\d+[.)](?=\s))", r"\\\1", text)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def table(header: Sequence[str], rows: Rows, *, left: tuple[int, ...] = (0,)) -> str:
    """A pipe table, padded so that it is aligned in a fixed-width font; columns not named in `left` stand right."""
    cells = [[escape_markdown(text) for text in row] for row in (header, *rows)]
    widths = [max(3, *(columns(row[column]) for row in cells)) for column in range(len(header))]
    rule = [f":{'-' * (w - 1)}" if i in left else f"{'-' * (w - 1)}:" for i, w in enumerate(widths)]
    lines = [[padded(text, widths[i], right=i not in left) for i, text in enumerate(row)] for row in cells]
    return "\n".join(f"| {' | '.join(row)} |" for row in (lines[0], rule, *lines[1:]))


def code_span(text: str) -> str:
    """Text as code inside a line: the fence is longer than any run of backticks in it."""
    text = " ".join(text.split())
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"


def _section(section: Section, blocks: Sequence[str]) -> list[str]:
    """Its title, then its blocks, or what it says without any; nothing where it has no words for that."""
    found = blocks or ([_(section.nothing)] if section.nothing else [])
    return [f"## {_(section.title)}", *found] if found else []


def _head(study: Study) -> list[str]:
    facts = [_("Plan {plan}", plan=escape_markdown(study.plan)), when(study.created_at_s)]
    if study.seconds:
        facts.append(_("took {time}", time=format_seconds(study.seconds)))
    if study.radoscope_version:
        facts.append(f"radoscope {escape_markdown(study.radoscope_version)}")
    return [f"# {escape_markdown(study.target)}", _("{facts}.", facts=_(", ").join(facts))]


def _response(material: Material) -> list[str]:
    blocks = list[str]()
    for curve in response_curves(material.study, material.summaries):
        headline = f"{response.title(curve)}: {response.answer_words(curve)}; {response.cost_words(curve)}."
        body = [row.texts for row in response.rows(curve)]
        blocks += [escape_markdown(headline), table(response.header(curve), body, left=(5,))]
    return _section(_OURS["response"], [*blocks, escape_markdown(_(response.NOTE))] if blocks else [])


def _ladders(material: Material) -> list[str]:
    blocks = []
    for ladder in every_ladder(material):
        if ladder.measured:
            rows = [_step(ladder, step) for step in ladder.steps]
            blocks.append(
                _("**One 4K block written, one at a time**")
                if ladder.writes
                else _("**One 4K block read, one at a time**")
            )
            blocks.append(table((_("Step"), _("adds ms"), "±", _("of the whole"), _("up to ms")), rows))
            blocks += bullets(ladder.limits)
    return _section(_OURS["ladder"], blocks)


def _step(ladder: Ladder, step: LadderStep) -> tuple[str, ...]:
    if step.lost is None:
        return (f"{step_title(step)}: {step.missing}", "–", "", "", "")
    shown, share = figure(step.lost, milliseconds, "ms"), ladder.share(step)
    whole = percent(share) if share is not None else ""
    return (step_title(step), shown.text, _bare(shown), whole, milliseconds(step.to_s))


def _cells(rows: tuple[Row, ...]) -> list[str]:
    header = (
        *(_("Layer"), _("Cell"), "IOPS ave", "±", "MB/s ave"),
        *("lat min ms", "lat max ms", "lat ave ms", _("stamp"), _("took s")),
    )
    body = []
    for row in rows:
        rate, *others, _p99 = row.figures
        shown = (rate.text, _bare(rate), *(one.text for one in others))
        body.append((row.layer, row.label, *shown, row.stamp.text, f"{row.summary.seconds:.0f}"))
    return _section(_OURS["table"], [table(header, body, left=(0, 1, 8))] if rows else [])


def _percentiles(material: Material) -> list[str]:
    rows = percentile_rows(material)
    header = (_("Layer"), _("Cell, ms"), *(f"p{percent:g}" for percent in PERCENTILES))
    body = [(row.layer, _marked(row), *(shown.text for shown in row.figures)) for row in rows]
    return _section(_OURS["latency"], [table(header, body, left=(0, 1))] if rows else [])


def _marked(row: Row) -> str:
    return row.label if row.stamp.mark is Mark.OK else f"{row.label} ({_(row.stamp.mark.value)})"


def _scaling(material: Material) -> list[str]:
    blocks = list[str]()
    for family in find_families(material):
        body = []
        for cell in family.cells:
            total, *rest = scaling_figures(cell, family.single)
            count = str(cell.cell.conditions.clients)
            body.append((count, total.text, _bare(total), *(shown.text for shown in rest)))
        header = (_("Images"), _(HEADER[0]), "±", *(_(head) for head in HEADER[1:]))
        blocks += [f"{escape_markdown(family.title)}: {escape_markdown(family.message)}.", table(header, body, left=())]
    return _section(_OURS["scaling"], blocks) if blocks else []


def _times(material: Material) -> list[str]:
    """Where the mean I/O's time went; nothing where no OSD's counters were kept."""
    if not (found := times.rows(material)):
        return []
    body = table([_(head) for head in times.HEADER], [row.texts for row in found])
    return _section(_OURS["times"], [body, escape_markdown(_(times.NOTE))])


def _findings(material: Material) -> list[str]:
    blocks = []
    for number, finding in enumerate(material.findings, start=1):
        lines = [f"**{number}. {_(SEVERITIES[finding.label])}: {escape_markdown(finding.claim)}**", ""]
        lines += [f"- {escape_markdown(fact)}" for fact in finding.because]
        if explained := weight(finding):
            lines.append(_("- Explains: {share}", share=explained))
        if finding.unless:
            lines.append(_("- Unless: {doubt}", doubt=escape_markdown(finding.unless)))
        if finding.try_next:
            step = code_span(finding.try_next) if is_command(finding.try_next) else escape_markdown(finding.try_next)
            lines.append(_("- Try next: {step}", step=step))
        blocks.append("\n".join(lines))
    return _section(_OURS["findings"], blocks)


def _place(study: Study) -> list[str]:
    """One line a group: as a table the longest fact would stretch all rows."""
    lines = []
    for group in gather_facts(study):
        facts = (f"{label}: {fact}" if label else fact for label, fact in group.facts)
        lines.append(f"- **{escape_markdown(group.title)}**: {escape_markdown(joined(facts))}")
    return _section(_OURS["place"], ["\n".join(lines)] if lines else [])


def bullets(lines: tuple[str, ...]) -> list[str]:
    """One block, or none where there is nothing to say."""
    return ["\n".join(f"- {escape_markdown(line)}" for line in lines)] if lines else []


def _bare(shown: Figure) -> str:
    return shown.spread.lstrip("±")
