"""The answers to `ceph tell osd.N bench` in a bundle, OSD by OSD."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from radoscope.errors import UnreadableFile
from radoscope.formats.tools import osd_bench
from radoscope.kinds.osd_bench.judge import OsdBench, OsdBenches
from radoscope.records.study import Study

CLASSES = "osd-classes.json"
"""OSD -> device class, as the study saw them."""

_ANSWER = re.compile(r"osd-bench-(\d+)-round-(\d+)\.json")


def answer_name(osd: int, number: int) -> str:
    """The file that holds the answer of one OSD in one round."""
    return f"osd-bench-{osd}-round-{number}.json"


def read(folder: Path, study: Study) -> OsdBenches | None:
    """The payload of a bundle, None where no OSD has answered."""
    benches = read_osd_benches(folder / "environment")
    return OsdBenches(benches) if benches else None


def read_osd_benches(captures: Path) -> tuple[OsdBench, ...]:
    """captures: the folder of a bundle with what was captured. An answer that cannot be read is left out."""
    answers = [(found, path) for path in captures.glob("osd-bench-*.json") if (found := _ANSWER.fullmatch(path.name))]
    rates = defaultdict[int, list[float]](list)
    for found, path in sorted(answers, key=lambda answer: (int(answer[0][1]), int(answer[0][2]))):
        try:
            results = osd_bench.read(path.read_text(encoding="utf-8", errors="replace"))
        except (OSError, UnreadableFile):
            continue
        rates[int(found[1])] += [result.iops for result in results if result.iops is not None]
    classes = _classes(captures / CLASSES)
    return tuple(
        OsdBench(osd=osd, device_class=classes.get(str(osd), ""), iops=tuple(values)) for osd, values in rates.items()
    )


def _classes(path: Path) -> Mapping[str, str]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return {str(osd): str(name) for osd, name in said.items()}
    except (OSError, ValueError, AttributeError):
        return {}
