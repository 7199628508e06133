"""What predict asks for: the fact or the measurement that narrows an answer most."""

import math
from dataclasses import replace

import pytest

from radoscope.predict import Facts, Model, ask, forecast, read_known
from radoscope.predict.facts import apply_workload

CLIENT_DRIVES = Facts(nodes=3, osds_per_node=2, osd_device_class="nvme", device_plp=False, network_Gbps=10)


def half_width(facts: Facts, model: Model) -> float:
    seen = forecast(apply_workload(facts, "4k-randwrite-qd1"), model)
    return math.sqrt(seen.interval.high / seen.interval.low) - 1


def test_client_drives_without_a_figure_are_asked_for_their_flush(model: Model) -> None:
    fact, cell = ask(CLIENT_DRIVES, ["4k-randwrite-qd1"], model)
    assert fact.key == "fsync_latency_us"
    assert "radoscope study --cells disk-4k-randwrite-qd1-fsync" in str(fact)
    assert fact.after < 0.8 * fact.before
    assert cell.key is None


def test_the_narrowing_that_is_promised_comes_about(model: Model) -> None:
    promised = ask(CLIENT_DRIVES, ["4k-randwrite-qd1"], model)[0]
    told, _ = read_known("fsync = 625 iops", CLIENT_DRIVES)
    assert half_width(CLIENT_DRIVES, model) == pytest.approx(2.718281828**promised.before - 1, rel=0.01)
    assert half_width(told, model) == pytest.approx(2.718281828**promised.after - 1, rel=0.3)


def test_what_is_told_is_not_asked_again(model: Model) -> None:
    told = replace(CLIENT_DRIVES, device_4k_sync_write_iops=600.0)
    known = read_known("4k-randwrite-qd1 = 200 iops", told)[1]
    assert known is not None
    questions = ask(told, ["4k-randwrite-qd1"], model, [known])
    assert all(one.key != "fsync_latency_us" and not one.what.startswith("4k-randwrite-qd1 ") for one in questions)
