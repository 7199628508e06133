"""Fixtures of whole runs."""

from tests.ceph_fixtures import bait, cluster, home, plan, start

__all__ = ["bait", "cluster", "home", "plan", "start"]
