"""Look at a cluster and this host without a study."""

from __future__ import annotations

import json

from radoscope import sandbox
from radoscope.archives.environment import environment_from
from radoscope.ceph import Cluster
from radoscope.records.environment import Environment
from radoscope.run import probes
from radoscope.session.target import Target


def environment_of(target: Target) -> Environment:
    """What the probes see now. Raises SiteError when the cluster does not answer."""
    if target.sandbox is not None:
        cluster = sandbox.load(target.sandbox).ceph
    else:
        assert target.conf is not None
        cluster = Cluster(conf=target.conf, user=target.user, keyring=target.keyring)
    cluster.ceph("status")  # the probes note what fails; here, nobody home is an answer by itself
    texts = {**probes.host.capture(), **probes.cluster.capture(cluster)}
    return environment_from({name: json.loads(text) for name, text in texts.items()}, target.pool or "")
