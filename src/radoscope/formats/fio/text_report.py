"""Hears fio's sentences one after the other; their order says what belongs to what.

fio prints all headings of a run, then a block for each group (or job) with one part a direction, then the totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.fio.text_results import Group, Heading, Part, Run, Total, results_of
from radoscope.formats.fio.text_words import (
    SECONDS,
    Sentence,
    amount,
    block_sizes,
    issued_counts,
    name_before,
    number,
)
from radoscope.formats.fio.words import load_of, whole
from radoscope.formats.grammar.quantities import scaled
from radoscope.records.extra import CPU, RATES, Extra
from radoscope.records.measurement import Latency, Result

_EXTREME = re.compile(r"(?:max|min|p\d\d?|tail|sync)[ ._-]{0,2}$")
"""Before the name of a latency: no mean."""


class Report:
    """Reads the sentences of a text in order and yields the results."""

    def __init__(self, text: str, reader: str) -> None:
        self._text = text
        self._reader = reader
        self._runs = [Run()]
        self._group: Group | None = None
        self._part: Part | None = None
        self._percentiles: tuple[str, float] | None = None
        self._status_group: str | None = None
        self._last: Group | Total | None = None
        self._hearers: dict[str, Callable[[Sentence, int], None]] = {
            "version": self._version,
            "heading": self._heading,
            "job": self._job,
            "direction": self._direction,
            "direction2": self._direction2,
            "latency": self._latency,
            "mean": self._mean,
            "percentiles": self._percentile_heading,
            "percentile": self._percentile,
            "issued": self._issued,
            "depth": self._depth,
            "cpu": self._cpu,
            "bandwidths": self._bandwidths,
            "rates": self._rates,
            "depths": self._depths,
            "status": self._status,
            "total": self._total,
            "total2": self._total2,
            "disk": self._disk,
        }

    @property
    def _run(self) -> Run:
        return self._runs[-1]

    def hear(self, sentence: Sentence, line: int) -> None:
        """Take in one sentence, which begins on this line of the source."""
        self._hearers[sentence.kind](sentence, line)

    def until(self, line: int) -> None:
        """The current group or total extends to this line."""
        if self._last is not None:
            self._last.last_line = line

    def results(self) -> Iterator[Result]:
        for run in self._runs:
            yield from results_of(run, self._reader)

    # What each sentence changes.

    def _version(self, sentence: Sentence, _line: int) -> None:
        self._run.extra.setdefault("version", sentence.words[0] or "")

    def _heading(self, sentence: Sentence, _line: int) -> None:
        if self._run.reported:
            self._runs.append(Run())
        self._group = self._part = self._last = None
        group, load, blocks, engine, depth = sentence.words
        self._run.headings.append(
            Heading(
                name=name_before(self._text, sentence.start),
                group=group or "0",
                load=load_of(load),
                blocks=block_sizes(blocks or ""),
                depth=whole(depth),
                engine=engine or "",
            )
        )

    def _job(self, sentence: Sentence, line: int) -> None:
        group, jobs, error, error_text, pid = sentence.words
        extra: Extra = {"error": abs(int(error or 0))}
        if error_text:
            extra["error_text"] = " ".join(error_text.split())
        name = name_before(self._text, sentence.start)
        for heading in self._run.headings:
            if heading.name and name.endswith(" " + heading.name):
                name = heading.name  # all lines of the page were put into one
        self._open(Group(name, group, whole(jobs), line, line, extra=extra, pid=pid))

    def _open(self, group: Group) -> None:
        self._run.groups.append(group)
        self._group = self._last = group
        self._part = self._percentiles = None

    def _direction(self, sentence: Sentence, line: int) -> None:
        direction, iops, bandwidth, bracketed, _done, runtime, unit = sentence.words
        rate = amount(bandwidth, binary=False)
        if rate is None:
            rate = amount(bracketed, binary=False)
        self._add_part(Part(direction or "", number(iops), rate, _seconds(runtime, unit)), line)

    def _direction2(self, sentence: Sentence, line: int) -> None:
        direction, _done, bandwidth, iops, runtime, unit = sentence.words
        rate = amount(bandwidth, binary=True)
        self._add_part(Part(direction or "", number(iops), rate, _seconds(runtime, unit)), line)

    def _add_part(self, part: Part, line: int) -> None:
        group = self._group
        if group is None and self._run.totals:
            self._runs.append(Run())  # totals end a run; the heading of the next one is missing
        if group is None or any(known.direction == part.direction for known in group.parts):
            group = Group(None, None, None, line, line)
            self._open(group)
        group.parts.append(part)
        self._part = part
        self._percentiles = None

    def _latency(self, sentence: Sentence, line: int) -> None:
        kind, unit, *values = sentence.words
        self._percentiles = None
        self._open_syncs(kind, line)
        self._open_remainder(line)
        if self._part is None or self._group is None or kind in self._part.latencies:
            return
        low, high, mean, deviation = (scaled(number(value), SECONDS[unit or "sec"]) for value in values)
        latency = Latency(min_s=low, max_s=high, mean_s=mean, stddev_s=deviation)
        self._part.latencies[kind or ""] = latency

    def _mean(self, sentence: Sentence, line: int) -> None:
        """Behind a rate, in its line: "read: IOPS=95.2k, BW=372MiB/s, lat avg=42.01 usec", as people shorten it."""
        _, value, unit = sentence.words
        is_beside = self._group is not None and self._group.last_line == line
        if (
            self._part is not None
            and self._part.iops is not None
            and is_beside
            and not (self._part.latencies or _EXTREME.search(self._text, max(0, sentence.start - 8), sentence.start))
        ):
            self._part.latencies["lat"] = Latency(mean_s=scaled(number(value), SECONDS[unit or "sec"]))

    def _open_syncs(self, kind: str | None, line: int) -> None:
        """The times of fsync alone, which are of writes: somebody picked them out."""
        if kind == "sync" and self._part is None:
            percentiles = self._percentiles
            self._add_part(Part("write", None, None, None), line)
            self._percentiles = percentiles

    def _open_remainder(self, line: int) -> None:
        """What is there of a direction whose beginning is cut off, as the first of a text."""
        if not (self._run.headings or self._run.reported):
            percentiles = self._percentiles
            self._open_picked(line)
            self._percentiles = percentiles

    def _percentile_heading(self, sentence: Sentence, _line: int) -> None:
        kind, unit = sentence.words
        self._percentiles = (kind, SECONDS[unit or "sec"]) if kind in ("clat", "lat", "sync") else None

    def _percentile(self, sentence: Sentence, line: int) -> None:
        if self._percentiles is None:
            return
        kind, unit_s = self._percentiles
        self._open_syncs(kind, line)
        self._open_remainder(line)
        if self._part is None:
            return
        percent_word, bracketed, bare = sentence.words  # a page may have lost the brackets
        percent, value = number(percent_word), number(bracketed or bare)
        latency = self._part.latencies.setdefault(kind, Latency())
        if percent is None or value is None or percent > 100 or percent in latency.percentiles_s:
            return
        known = self._part.percentiles.setdefault(kind, {})
        known[percent] = value * unit_s
        if latency.percentiles_s is not known:
            self._part.latencies[kind] = replace(latency, percentiles_s=known)

    def _issued(self, sentence: Sentence, line: int) -> None:
        self._open_remainder(line)
        if self._group is not None and not self._group.issued:
            self._group.issued = issued_counts(sentence.words[0] or "")

    def _depth(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            self._group.depth = whole(sentence.words[0])

    def _cpu(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            for key, word in zip(CPU, sentence.words, strict=True):
                if (value := number(word)) is not None:
                    self._group.extra.setdefault(key, value)

    def _bandwidths(self, sentence: Sentence, line: int) -> None:
        unit, *_, average = sentence.words
        if (part := self._picked_part(line)) is not None:
            if part.bandwidth is not None:
                part = self._open_picked(line)
            part.bandwidth = amount(f"{average}{unit}", binary=False)

    def _picked_part(self, line: int) -> Part | None:
        """The part of averages that somebody picked out, without the line that names their direction."""
        if self._group is None and self._part is None:
            return self._open_picked(line)
        return self._part if self._part is not None and not self._part.direction else None

    def _open_picked(self, line: int) -> Part:
        self._group = None
        self._add_part(Part("", None, None, None), line)
        return self._run.groups[-1].parts[-1]

    def _rates(self, sentence: Sentence, line: int) -> None:
        if (part := self._picked_part(line)) is not None:
            if part.iops is not None:
                part = self._open_picked(line)
            part.iops = number(sentence.words[2])
        if self._part is not None:
            for key, word in zip(RATES, sentence.words, strict=True):
                if (value := number(word)) is not None:
                    self._part.extra.setdefault(key, value)

    def _depths(self, sentence: Sentence, _line: int) -> None:
        if self._group is not None:
            shares = (share.strip().rstrip("%").rpartition("=") for share in (sentence.words[0] or "").split(","))
            read = {depth: number(share) for depth, _, share in shares if depth}
            self._group.extra["depths_percent"] = read

    def _status(self, sentence: Sentence, _line: int) -> None:
        self._status_group = sentence.words[0]
        if self._group is None and any(total.group == self._status_group for total in self._run.totals):
            self._runs.append(Run())  # the totals of another run, of which nothing else was pasted
        self._group = self._part = self._last = None

    def _total(self, sentence: Sentence, line: int) -> None:
        direction, bandwidth, longest = sentence.words
        self._add_total(direction, amount(bandwidth, binary=False), longest, line)

    def _total2(self, sentence: Sentence, line: int) -> None:
        direction, _done, bandwidth, longest = sentence.words
        self._add_total(direction, amount(bandwidth, binary=True), longest, line)

    def _add_total(self, direction: str | None, bandwidth: float | None, longest: str | None, line: int) -> None:
        word = (direction or "").lower()
        total = Total(self._status_group, word, bandwidth, _seconds(longest, "msec"), line, line)
        self._run.totals.append(total)
        self._group = self._part = None
        self._last = total

    def _disk(self, sentence: Sentence, _line: int) -> None:
        name, busy = sentence.words
        self._last = None
        if (percent := number(busy)) is not None:
            self._run.disks[name or ""] = percent


def _seconds(text: str | None, unit: str | None) -> float | None:
    return scaled(number(text), SECONDS.get(unit or "", 1.0))
