"""The command that measures a study again."""

from __future__ import annotations

from radoscope.records.manifest import OWN_SANDBOX
from radoscope.records.study import Study


def study_words(study: Study) -> tuple[str, ...]:
    """`study ...` with the same plan and the same kind of target."""
    limits = dict.fromkeys(cell.limit.words for cell in study.cells if cell.limit is not None)
    limit = ("--limit", *limits) if len(limits) == 1 else ()
    return ("study", *target_words(study), *limit, "--plan", study.plan)


def target_words(study: Study) -> tuple[str, ...]:
    """The options that name the cluster.

    A cluster or a pool that radoscope made for this study alone is not named: the next run makes its own.
    """
    words: list[str] = []
    if study.sandbox is not None:
        words += [] if study.sandbox.startswith(OWN_SANDBOX) else ["--sandbox", study.sandbox]
    elif study.environment.cluster is not None:
        words += ["--conf", "/etc/ceph/ceph.conf"]
        pool = study.environment.cluster.pool
        if pool is not None and not pool.own:
            words += ["--pool", pool.name]
    return (*words, *(word for client in study.clients for word in ("--client", client)))
