"""radoscope: a performance laboratory for Ceph.

plan -> run -> records -> statistics -> explain / predict -> report; data flows one way along it.
"""

__version__ = "0.1.0"
