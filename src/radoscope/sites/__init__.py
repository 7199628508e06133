"""How a command reaches a host: argv -> argv, and short exchanges with it. Sites compose; --dry-run can print them."""

from __future__ import annotations

from radoscope.sites.site import Local, NetworkNamespace, Site
from radoscope.sites.ssh import Ssh

__all__ = ["Local", "NetworkNamespace", "Site", "Ssh"]
