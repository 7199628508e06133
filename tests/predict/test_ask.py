"""What predict asks for: the fact or the measurement that narrows an answer most."""

import math
import re
from dataclasses import replace

import pytest

from radoscope.plan import cells_of, load
from radoscope.predict.ask import CELLS, FACTS, ask
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.known import read_known
from radoscope.predict.outlook import Known, forecast

CLIENT_DRIVES = Facts(nodes=3, osds_per_node=2, osd_device_class="nvme", device_plp=False, network_Gbps=10)


def half_width(facts: Facts) -> float:
    seen = forecast(apply_workload(facts, "4k-randwrite-qd1"))
    return math.sqrt(seen.interval.high / seen.interval.low) - 1


def test_client_drives_without_a_figure_are_asked_for_their_flush() -> None:
    fact, cell = ask(CLIENT_DRIVES, ["4k-randwrite-qd1"])
    assert fact.key == "fsync_latency_us"
    assert "radoscope study --cells disk-4k-randwrite-qd1-fsync" in str(fact)
    assert fact.after < 0.8 * fact.before
    assert cell.key is None


def test_the_narrowing_that_is_promised_comes_about() -> None:
    promised = ask(CLIENT_DRIVES, ["4k-randwrite-qd1"])[0]
    told, _ = read_known("fsync = 625 iops", CLIENT_DRIVES)
    assert half_width(CLIENT_DRIVES) == pytest.approx(2.718281828**promised.before - 1, rel=0.01)
    assert half_width(told) == pytest.approx(2.718281828**promised.after - 1, rel=0.3)


def test_what_is_told_is_not_asked_again() -> None:
    told = replace(CLIENT_DRIVES, device_4k_sync_write_iops=600.0)
    known = read_known("4k-randwrite-qd1 = 200 iops", told)[1]
    assert known is not None
    questions = ask(told, ["4k-randwrite-qd1"], [known])
    assert all(one.key != "fsync_latency_us" and not one.what.startswith("4k-randwrite-qd1 ") for one in questions)


def test_what_is_asked_for_can_be_run_as_it_is_printed() -> None:
    measurable = {cell.name for cell in cells_of(load("quick"))}
    assert {cell for _, cell, _ in FACTS.values() if cell} | {cell for _, cell, _ in CELLS} <= measurable
    fact, cell = (str(one) for one in ask(CLIENT_DRIVES, ["4k-randwrite-qd1"], where="--sandbox lab"))
    assert re.search(r"`radoscope study --cells disk-\S+ --disk-folder FOLDER`", fact)
    assert re.search(r"`radoscope study --cells rbd-\S+ --sandbox lab`", cell), "else it would start a cluster here"


@pytest.mark.parametrize(
    ("facts", "load"),
    [
        (Facts(nodes=3, osds_per_node=4, osd_device_model="Kioxia CD6"), "4M-read-qd16-xall"),
        (Facts(nodes=4, osds_per_node=8, osd_device_class="hdd", network_Gbps=25), "4k-randread-qd32-xall"),
        (Facts(nodes=6, osds_per_node=6, osd_device_class="nvme", network_Gbps=100), "4k-randwrite-qd32-xall"),
        (Facts(nodes=3, osds_per_node=4, osd_device_class="sata_ssd", network_Gbps=10), "4k-randwrite-qd1"),
        (Facts(nodes=5, osds_per_node=2, network_Gbps=1, access="cephfs"), "4M-write-qd16-xall"),
    ],
)
def test_a_measured_cell_narrows_as_far_as_was_promised(facts: Facts, load: str) -> None:
    promised = ask(facts, [load])[-1]
    asked = apply_workload(facts, promised.what.split(" ")[0])
    known = Known("cell", asked, forecast(asked).iops)
    found = forecast(apply_workload(facts, load), [known]).interval
    assert math.log(found.high / found.low) / 2 < 1.05 * promised.after < 1.05 * promised.before
