"""How a command reaches a host: argv -> argv, and short exchanges with it. Sites compose; --dry-run can print them."""

from __future__ import annotations

from radoscope.sites.site import Behind, Local, NetworkNamespace, Site
from radoscope.sites.ssh import Ssh

__all__ = ["Behind", "Local", "NetworkNamespace", "Site", "Ssh"]
