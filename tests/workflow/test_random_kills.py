"""Kill -9 of radoscope, fio or rados at random moments: `radoscope clean` leaves nothing, and hurts nothing foreign.

RADOSCOPE_KILLS says how often (`make torture` says more than `make test`), RADOSCOPE_SEED at which moments.
"""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from radoscope.run.cleaning import labelled_processes
from tests.workflow.test_study_on_ceph import (  # noqa: F401  fixtures
    ENDLESS,
    bait,
    cluster,
    home,
    nothing_is_left,
    radoscope,
    standing,
)

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

KILLS = int(os.environ.get("RADOSCOPE_KILLS", "3"))
SEED = int(os.environ.get("RADOSCOPE_SEED", "1"))
LONGEST_S = 20.0


def begun_studies(home: Path) -> set[str]:  # noqa: F811
    return {path.stem for path in (home / "journal").glob("*.jsonl")}


@pytest.mark.timeout(60 + 120 * KILLS)
def test_nothing_is_left_after_kills_at_random_moments(home, cluster, plan, start, bait, sandbox) -> None:  # noqa: F811
    chance = random.Random(SEED)
    before = standing(cluster)
    for number in range(KILLS):
        running = start(
            "study", "--sandbox", "shared", "--plan", plan(ENDLESS), "--cells", "r*-4k*", "--cells", "disk*"
        )
        moment = time.monotonic() + chance.uniform(0.5, LONGEST_S)
        while time.monotonic() < moment and running.poll() is None:
            time.sleep(0.01)  # the moment is the experiment
        studies = begun_studies(home)
        victim = chance.choice(("radoscope", "tool"))
        tools = [pid for study in studies for pid in labelled_processes(study)]
        if victim == "tool" and tools:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(tools), signal.SIGKILL)
            running.send_signal(signal.SIGTERM)
        else:
            running.kill()
        running.communicate(timeout=180)
        cleaned = radoscope("clean", "--yes")
        assert cleaned.returncode == 0, (number, cleaned.stdout, cleaned.stderr)
        assert standing(cluster) == before, number
        for study in studies:
            nothing_is_left(home, study)
