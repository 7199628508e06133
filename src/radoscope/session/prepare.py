"""Make what the cells need: pools, a user, images and objects written in full, the test file, the iperf3 server.

Each thing is in the journal before it exists. After this, the load tools know the run's own user alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radoscope.ceph import Cluster
from radoscope.plan.estimate import needs_file
from radoscope.records.study import Cell
from radoscope.run import pinned
from radoscope.run.journal import Entry
from radoscope.run.prepared import Prepared
from radoscope.session.access import open_pools
from radoscope.session.fill import lay_out_file, make_images, write_read_sets
from radoscope.session.iperf import start_iperf3
from radoscope.session.pools import make_pool, make_pool_below, placement_groups
from radoscope.session.session import Session
from radoscope.session.waiting import settle


def prepare(session: Session) -> Prepared:
    """Everything that the cells need. Raises RadoscopeError; what was made by then is in the journal."""
    session.journal.will_create(Entry("folder", str(session.work)))
    session.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    session.journal.will_create(Entry("processes", session.id))
    prepared, cells = Prepared(peer_address=session.place.peer_address), session.request.cells
    if session.cluster is not None and session.request.needs_pool:
        prepared = _in_cluster(session, prepared, session.cluster)
        settle(session)
    if needs_file(cells):
        prepared = lay_out_file(session, prepared)
    if (peer := session.place.peer) is not None and any(cell.conditions.tool == "iperf3" for cell in cells):
        prepared = start_iperf3(session, prepared, peer)
    return prepared


def _in_cluster(session: Session, prepared: Prepared, cluster: Cluster) -> Prepared:
    """The pool and those below it, with their contents."""
    cells, below = session.request.cells, dict[str, str]()
    if kinds := pinned.kinds_of(cells):
        session.victim = victim = pinned.choose(cluster)
        below = {kind: make_pool_below(session, cluster, kind, victim) for kind in kinds}
        session.note(*(f"pool {below[kind]}: one copy on {victim.words(kind)}" for kind in kinds))
    pool = session.request.target.pool or session.name
    if session.request.target.pool is None:
        session.say(f"creating the pool {pool}")
        target = session.request.target
        groups = placement_groups(cluster, target.replicas)
        make_pool(session, cluster, pool, groups=groups, replicas=target.replicas, rule=target.crush_rule)
    prepared = open_pools(session, cluster, replace(prepared, pool=pool), tuple(below.values()))
    filled = _filled(session, prepared, [cell for cell in cells if not cell.conditions.pinned])
    theirs = {kind: [cell for cell in cells if cell.conditions.pinned == kind] for kind in below}
    return replace(
        filled,
        pinned={kind: _filled(session, replace(filled, pool=below[kind]), theirs[kind]) for kind in below},
    )


def _filled(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    """With images and objects in its pool."""
    return write_read_sets(session, make_images(session, prepared, cells), cells)
