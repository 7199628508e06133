"""A scenario: load with a fault in the middle, as it was seen. `stats` says what it means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radoscope.records.measurement import Series
from radoscope.records.study import Study


class Moment(StrEnum):
    """The kind of event. DEED: a fault was injected. NOTICED: the cluster had reacted.

    MENDED: it was undone, another deed. ENDED: the load was asked to end.
    """

    DEED = "deed"
    NOTICED = "noticed"
    MENDED = "mended"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Event:
    """moment: what kind; words: what happened to what, for people; time_s: Unix time."""

    moment: Moment
    words: str
    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """All acknowledged writes, read again and compared with their checksums.

    written: writes that the load tool saw acknowledged. read: how many of them were read back. errors: how many of
    these came back otherwise than written; None where the comparison did not come to its end, and problem says why.
    """

    written: int
    read: int = 0
    errors: int | None = None
    problem: str = ""

    @property
    def proved(self) -> bool:
        """Whether every acknowledged write was read back as it was written."""
        return self.errors == 0 and self.read == self.written > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One run of a scenario.

    latencies: one value a completed I/O, at its completion, in Unix time. looks: what the monitors said, a series each:
    "whole" is 1 where the cluster was HEALTH_OK with every OSD up and every placement group active+clean. problem:
    what went otherwise than it should, empty when nothing did.
    """

    name: str
    title: str
    events: tuple[Event, ...]
    latencies: Series
    looks: tuple[Series, ...] = ()
    read_back: ReadBack
    problem: str = ""

    def look(self, name: str) -> Series | None:
        """One of the looks by its name, None where it was not taken."""
        return next((series for series in self.looks if series.name == name), None)


def scenario_of(study: Study) -> Scenario:
    """The payload of a study of this kind."""
    assert isinstance(study.payload, Scenario)
    return study.payload
