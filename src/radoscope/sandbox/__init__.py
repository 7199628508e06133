"""A real throw-away Ceph cluster on this machine.

up(spec, on_step) -> Sandbox; load(name) -> Sandbox; names(); down(name); leftovers() and remove(leftover).
"""

from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.leftovers import Leftover, leftovers, living, remove
from radoscope.sandbox.registry import load, names
from radoscope.sandbox.spec import DEFAULT_NAME, SandboxSpec
from radoscope.sandbox.start import up
from radoscope.sandbox.stop import down

__all__ = [
    "DEFAULT_NAME",
    "Leftover",
    "Sandbox",
    "SandboxSpec",
    "down",
    "leftovers",
    "living",
    "load",
    "names",
    "remove",
    "up",
]
