"""One well-described cluster under one load, as a start for tests that change one thing."""

import pytest

from radoscope.predict.facts import Facts


@pytest.fixture
def facts() -> Facts:
    return Facts(
        nodes=4,
        osds_per_node=4,
        osd_device_model="Kioxia CD6 3.84TB",
        osd_device_class="nvme",
        device_plp=True,
        device_seq_read_MBps=6000,
        device_seq_write_MBps=3800,
        cpu_model="1x EPYC 7302P",
        cores_per_node=16,
        network_Gbps=25,
        rtt_us=50,
        ceph_version="18.2",
        pool_size=3,
        access="librbd_fio",
        hyperconverged=False,
        client_hosts=4,
        op="rand_write",
        block_bytes=4096,
        queue_depth=32,
        clients=16,
    )
