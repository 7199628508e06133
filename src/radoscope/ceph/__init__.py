"""The only way to a Ceph cluster: its commands, and a standing connection to its monitors and OSDs."""

from radoscope.ceph.cluster import Cluster
from radoscope.ceph.connection import Connection
from radoscope.ceph.standing import StandingThere

Standing = Connection | StandingThere

__all__ = ["Cluster", "Connection", "Standing"]
