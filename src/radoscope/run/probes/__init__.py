"""What to capture around a study: raw texts by name, kept in the bundle; `archives` reads their meaning."""

from __future__ import annotations

from radoscope.run.probes import cluster, device, host, links, osds

__all__ = ["cluster", "device", "host", "links", "osds"]
