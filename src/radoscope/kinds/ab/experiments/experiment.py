"""What an A/B experiment is: two states, what they touch, and how the commands for them are found."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from radoscope.ceph import Cluster
from radoscope.errors import PlanError, SiteError
from radoscope.plan.expand import cells_of
from radoscope.plan.schema import Plan
from radoscope.records.conditions import Conditions
from radoscope.run.state import LONGEST_S, Switch
from radoscope.session.target import Target
from radoscope.sites import Local, Site
from radoscope.tools import call


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What stands when the commands are found. cluster: None where the cells need none. pool: that is measured in.

    client_conf: the ceph.conf of the load tools alone, radoscope's own.
    """

    cluster: Cluster | None = None
    pool: str = ""
    client_conf: Path | None = None
    site: Site = field(default_factory=Local)

    def ask(self, *argv: str) -> str:
        """What a command prints where the load comes from. Raises ToolFailed."""
        return call(self.site.wrap(argv)).strip()

    def need_cluster(self) -> Cluster:
        if self.cluster is None:
            raise PlanError("this experiment is about a cluster", "Choose cells of the layers rados or rbd.")
        return self.cluster

    def environment(self) -> tuple[tuple[str, str], ...]:
        """What every state command finds: plain `ceph` and `rbd` reach the right cluster as the right user."""
        known = {"RADOSCOPE_POOL": self.pool}
        if self.cluster is not None:
            own = ("-n", self.cluster.user, *(("-k", str(self.cluster.keyring)) if self.cluster.keyring else ()))
            known["CEPH_CONF"] = str(self.cluster.conf)
            known["CEPH_ARGS"] = shlex.join(own)
            known["RADOSCOPE_CLUSTER_ARGS"] = shlex.join(self.cluster.arguments())
        if self.client_conf is not None:
            known["RADOSCOPE_CLIENT_CONF"] = str(self.client_conf)
        return tuple(known.items())


@dataclass(frozen=True, slots=True)
class States:
    """Shell commands. show: prints the same text whenever the state is the same; None where nobody can tell."""

    a: str
    b: str
    show: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """name: "pool-size 2 3". touches: what it changes and where, in a sentence, for the user to agree to.

    states: asked once the cluster and the pool stand. check: raises at once where it cannot work; looks only.
    cells: patterns of the cells that it is about, unless the user names some. of_load_host: it switches this host, or
    the load tools on it, so all load has to come from here. plan: the one to take unless the user names one. b_of:
    what B measures in place of a cell's conditions, where the states are conditions; raises PlanError for others.
    """

    name: str
    touches: str
    states: Callable[[Surroundings], States]
    check: Callable[[Target], None] = lambda target: None
    cells: tuple[str, ...] = ()
    of_load_host: bool = False
    plan: str = "quick"
    b_of: Callable[[Conditions], Conditions] | None = None

    def cells_of(self, plan: Plan) -> tuple[str, ...]:
        """The patterns that select cells of this plan; all of them where none does, for the message."""
        names = [cell.name for cell in cells_of(plan)]
        return tuple(one for one in self.cells if any(fnmatchcase(name, one) for name in names)) or self.cells

    def switch(self, around: Surroundings, longest_s: float = LONGEST_S) -> Switch:
        """The states as they can be switched here. Raises PlanError, SiteError, ToolFailed."""
        states = self.states(around)
        switch = Switch(a=states.a, b=states.b, show=states.show, longest_s=longest_s)
        return replace(switch, environment=around.environment(), prefix=tuple(around.site.wrap(())))


@dataclass(frozen=True, slots=True)
class Ready:
    """An experiment that needs no commands from the user. usage: its arguments, a word each, optional ones in brackets.
    make: takes as many. Raises PlanError where one is missing, or none of those it knows."""

    name: str
    usage: str
    question: str
    make: Callable[..., Experiment]


def need_root(what: str) -> None:
    if os.geteuid() != 0:
        raise SiteError(f"{what} can only be changed by root", "Run radoscope with sudo, or as root.")
