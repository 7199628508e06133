"""What each OSD says of itself: the options that differ from its release's defaults, and its peers' answer times."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from radoscope.errors import RadoscopeError

_ABOUT_SPEED = re.compile(r"(debug|osd|bluestore|bluefs|bdev|ms|rocksdb|throttler)_")
_PLAIN = re.compile(r"[\w.,% +-]*|\d+/\d+")
"""No paths, addresses or names: these tell nothing of speed, and would have to be taken out of a report."""
_AT_ONCE = 8
_ANSWERS_PRINTED_ABOVE_MS = 0
"""dump_osd_network leaves out peers that answer sooner than this many milliseconds."""


def options(ask_osd: Callable[..., Any], osds: Sequence[int]) -> dict[str, str]:
    """osd-config-diff.json: OSD -> option -> its value, where that is not the release's default.

    From `config diff`, which also holds what `ceph tell` and ceph.conf have set, of which no monitor knows.
    """
    return {"osd-config-diff.json": _of_each(osds, lambda osd: _changed(ask_osd(osd, "config diff")))}


def answer_times(ask_osd: Callable[..., Any], osds: Sequence[int]) -> dict[str, str]:
    """osd-network.json: OSD -> `dump_osd_network`: how long heartbeats to each peer took over the last minutes."""

    def ask(osd: int) -> Any:
        return ask_osd(osd, "dump_osd_network", value=_ANSWERS_PRINTED_ABOVE_MS)

    return {"osd-network.json": _of_each(osds, ask)}


def _of_each(osds: Sequence[int], ask: Callable[[int], Any]) -> str:
    """OSD -> its answer as JSON; of one that does not answer, why. Several at once: one that hangs delays no other."""

    def told(osd: int) -> Any:
        try:
            return ask(osd)
        except RadoscopeError as error:
            return {"error": error.message}

    with ThreadPoolExecutor(_AT_ONCE) as asking:
        return json.dumps(dict(zip(map(str, osds), asking.map(told, osds), strict=True)), indent=1)


def _changed(answer: Any) -> dict[str, str]:
    diff = answer.get("diff", {}) if isinstance(answer, dict) else {}
    finals = {name: str(each["final"]) for name, each in diff.items() if isinstance(each, dict) and "final" in each}
    return {
        name: value
        for name, value in finals.items()
        if _ABOUT_SPEED.match(name) and _PLAIN.fullmatch(value) is not None
    }
