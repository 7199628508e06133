"""Look at a cluster and this host without a study."""

from __future__ import annotations

import json

from radoscope import sandbox
from radoscope.archives.environment import environment_from
from radoscope.records.environment import Environment
from radoscope.run import probes
from radoscope.session.target import Target
from radoscope.session.there import cluster_of
from radoscope.sites import Local


def environment_of(target: Target) -> Environment:
    """What the probes see now. Raises SiteError when the cluster does not answer."""
    cluster = cluster_of(target) if target.sandbox is None else sandbox.load(target.sandbox).ceph
    with cluster.connected() as asked:
        asked.ceph("status")  # the probes note what fails; here, nobody home is an answer by itself
        host = probes.host.capture(cluster.site if cluster.is_elsewhere else Local())
        texts = {**host, **probes.cluster.capture(asked)}
    return environment_from({name: json.loads(text) for name, text in texts.items()}, target.pool or "")
