"""How a command reaches a host: argv -> argv. Sites compose, and --dry-run can print what would run."""

from __future__ import annotations

from radoscope.run.sites.local import Local
from radoscope.run.sites.namespace import NetworkNamespace
from radoscope.run.sites.site import Site
from radoscope.run.sites.ssh import Ssh

__all__ = ["Local", "NetworkNamespace", "Site", "Ssh"]
