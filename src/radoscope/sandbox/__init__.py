"""A real throw-away Ceph cluster on this machine.

up(spec, on_step) -> Sandbox; load(name) -> Sandbox; names(); down(name); leftovers() and remove(leftover).
"""

from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Host, Layout, Manager, Monitor, Osd
from radoscope.sandbox.leftovers import Leftover, leftovers, living, remove
from radoscope.sandbox.preflight import missing_packages
from radoscope.sandbox.registry import load, names
from radoscope.sandbox.spec import DEFAULT_NAME, SandboxSpec
from radoscope.sandbox.start import up
from radoscope.sandbox.stop import down

__all__ = [
    "DEFAULT_NAME",
    "Host",
    "Layout",
    "Leftover",
    "Manager",
    "Monitor",
    "Osd",
    "Sandbox",
    "SandboxSpec",
    "down",
    "leftovers",
    "living",
    "load",
    "missing_packages",
    "names",
    "remove",
    "up",
]
