"""Which published results come from the same machines: they are left out together, or held-out errors would flatter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def laboratory(row: Mapping[str, Any]) -> str:
    """The laboratory of a published record; pages that quote others are split by whose machines they quote."""
    source, model = row["source_id"], row.get("osd_device_model") or ""
    if model == "Samsung PM983 4TB" or source.startswith(("clyso_reef", "redhat_")):
        return "upstream"
    if ("Micron 9" in model and row.get("pool_size") == 2) or source.startswith("micron"):
        return "micron"
    if "Micron 9300" in model or source == "seed001":
        return "proxmox"
    if "R730xd" in model:
        return "dell"
    if "per node (model not given)" in model:
        return "supermicro"
    if source.startswith("mclock"):
        return "mclock"
    return str(source)
