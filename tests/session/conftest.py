"""Fixtures of whole runs."""

from tests.ceph_fixtures import bait, cluster, home, plan, start
from tests.pve import pve
from tests.sshd import server

__all__ = ["bait", "cluster", "home", "plan", "pve", "server", "start"]
