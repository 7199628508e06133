"""What every OSD's own bench came to, and which OSD is slower than its peers, with intervals."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from radoscope.records.study import Study
from radoscope.stats.interval import FIRST_INTERVAL, mean_of_segments
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import _, ngettext


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdBench:
    """One OSD. device_class: "ssd", "hdd", "nvme", or empty if unknown. iops: of each of its benches."""

    osd: int
    device_class: str
    iops: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OsdBenches:
    """All OSDs that answered, by their number."""

    benches: tuple[OsdBench, ...]


def benches_of(study: Study) -> tuple[OsdBench, ...]:
    """The payload of a study of this kind."""
    assert isinstance(study.payload, OsdBenches)
    return study.payload.benches


PEERS = 3
"""OSDs of one device class, below which the odd one out cannot be identified."""

LIKE = 0.85
"""Equal drives measure within 15 % of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdFigure:
    """One OSD. of_peers: its mean over the median of the others of its class. sick: surely slower than these."""

    osd: int
    device_class: str
    iops: Estimate | Undecided
    of_peers: float | Undecided
    sick: bool | Undecided

    @property
    def fit_to_set(self) -> bool:
        """Whether its capacity is known well enough to be given to a scheduler: within the 15 % of equal drives."""
        width = self.iops.relative_half_width if isinstance(self.iops, Estimate) else None
        return width is not None and width <= 1 - LIKE and self.sick is not True


def judge_osds(rates: Mapping[int, Sequence[float]], classes: Mapping[int, str]) -> tuple[OsdFigure, ...]:
    """rates: OSD -> IOPS of each of its benches. classes: OSD -> device class; only those of one class are peers."""
    iops = {osd: mean_of_segments(values) for osd, values in rates.items()}
    return tuple(_judge(osd, iops, classes) for osd in sorted(rates))


def _judge(osd: int, iops: Mapping[int, Estimate | Undecided], classes: Mapping[int, str]) -> OsdFigure:
    own, device_class = iops[osd], classes.get(osd, "")
    others = [
        figure.value
        for other, figure in iops.items()
        if other != osd and classes.get(other, "") == device_class and isinstance(figure, Estimate)
    ]
    if len(others) < PEERS - 1:
        why = Undecided(
            ngettext(
                "{number} peer of class {device_class}", "{number} peers of class {device_class}", len(others),
                device_class=device_class or _("unknown"),
            )
        )  # fmt: skip
        return OsdFigure(osd=osd, device_class=device_class, iops=own, of_peers=why, sick=why)
    if isinstance(own, Undecided):
        return OsdFigure(osd=osd, device_class=device_class, iops=own, of_peers=own, sick=own)
    usual = statistics.median(others)
    return OsdFigure(
        osd=osd, device_class=device_class, iops=own, of_peers=own.value / usual, sick=_is_sick(own, usual)
    )


def _is_sick(own: Estimate, usual: float) -> bool | Undecided:
    """Sick: all of its interval is below what equal drives reach. Well: all of it is above."""
    if not isinstance(own.interval, Interval):
        return Undecided(
            _("{number} benches; at least {least} are needed", number=own.samples, least=FIRST_INTERVAL),
            _("more {option}", option="--rounds"),
        )
    if own.interval.high < LIKE * usual:
        return True
    if own.interval.low >= LIKE * usual:
        return False
    return Undecided(_("its interval spans slow and normal"), _("more {option}", option="--rounds"))
