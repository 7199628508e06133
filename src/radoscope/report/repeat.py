"""The command that measures a study again."""

from __future__ import annotations

import shlex

from radoscope.records.study import Study

OWN_SANDBOX = "study-"
"""How the names of sandboxes begin that a study started for itself and removed at its end."""


def study_command(study: Study) -> str:
    """`radoscope study ...` with the same plan and the same kind of target.

    A cluster or a pool that radoscope made for this study alone is not named: the next run makes its own.
    """
    words = ["radoscope", "study"]
    if study.sandbox is not None:
        words += [] if study.sandbox.startswith(OWN_SANDBOX) else ["--sandbox", study.sandbox]
    elif study.environment.cluster is not None:
        words += ["--conf", "/etc/ceph/ceph.conf"]
        pool = study.environment.cluster.pool
        if pool is not None and not pool.own:
            words += ["--pool", pool.name]
    words += [word for client in study.clients for word in ("--client", client)]
    if study.scenario is not None:
        return shlex.join([*words, "--scenario", study.scenario.name])
    if study.osd_benches:
        return shlex.join([*words, "--osd-bench"])
    limits = dict.fromkeys(cell.limit.words for cell in study.cells if cell.limit is not None)
    words += ["--limit", *limits] if len(limits) == 1 else []
    return shlex.join([*words, "--plan", study.plan])
