"""Ready-made experiments on the client's side: encrypted connections; and two that are refused, with the reason."""

from __future__ import annotations

import os
from pathlib import Path

from radoscope.errors import PlanError, SiteError
from radoscope.kinds.ab.experiments.cluster import CLUSTER_CELLS
from radoscope.kinds.ab.experiments.experiment import Experiment, States, Surroundings
from radoscope.session.target import Target

_MODE = "ms client mode ="


def encryption() -> Experiment:
    """A: messages carry checksums; B: messages are encrypted (messenger 2, mode secure)."""

    def states(around: Surroundings) -> States:
        around.need_cluster()
        without = f"sed -i '/^{_MODE}/d' \"$RADOSCOPE_CLIENT_CONF\""
        return States(
            f"{without} && echo '{_MODE} crc' >> \"$RADOSCOPE_CLIENT_CONF\"",
            f"{without} && echo '{_MODE} secure' >> \"$RADOSCOPE_CLIENT_CONF\"",
            f"grep '^{_MODE}' \"$RADOSCOPE_CLIENT_CONF\"",
        )

    touches = "ms_client_mode in the ceph.conf of radoscope's own load tools; nothing in the cluster"
    return Experiment(name="encryption", touches=touches, states=states, cells=CLUSTER_CELLS, of_load_host=True)


def cephx() -> Experiment:
    """Refused: authentication cannot be switched while a cluster serves."""

    def check(target: Target) -> None:
        raise PlanError(
            "cephx cannot be switched on a live cluster: daemons read auth_cluster_required, auth_service_required "
            "and auth_client_required when they start, and all of them and all clients must agree",
            "Switch and restart a sandbox by --a and --b, or see what encryption costs: --experiment encryption.",
        )

    return Experiment(name="cephx", touches="nothing: refused", states=_never, check=check)


def krbd() -> Experiment:
    """Refused: the load of this version reaches images by librbd alone."""

    def check(target: Target) -> None:
        if reason := why_no_krbd():
            raise SiteError(
                f"krbd cannot work here: {reason}", "A host with its own kernel and the module rbd is needed."
            )
        raise PlanError(
            "the load tools reach images by librbd alone, so this cannot switch to krbd",
            "Run fio on a mapped image by hand, import both outputs, and: radoscope compare LIBRBD KRBD --although "
            "ioengine",
        )

    return Experiment(name="krbd-vs-librbd", touches="nothing: refused", states=_never, check=check)


def why_no_krbd(modules: Path = Path("/lib/modules"), loaded: Path = Path("/sys/bus/rbd")) -> str:
    """Why the kernel of this host cannot map an image; an empty text where it can."""
    if os.geteuid() != 0:
        return "mapping an image needs root"
    if loaded.exists():
        return ""
    release = os.uname().release
    own = modules / release
    if not own.is_dir():
        return f"there are no modules for the running kernel {release} ({own} is missing)"
    builtin = own / "modules.builtin"
    known = builtin.is_file() and "/rbd.ko" in builtin.read_text(errors="replace")
    if not known and not any(own.rglob("rbd.ko*")):
        return f"the running kernel {release} has no module rbd"
    return ""


def _never(around: Surroundings) -> States:
    raise PlanError("this experiment is refused")
