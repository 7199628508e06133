"""The network: hosts' interfaces with what each can carry, and the ways to the hosts of the OSDs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

from radoscope.errors import RadoscopeError
from radoscope.sites.ways import Way
from radoscope.tools import call

# Four parts with a line of dashes in between: interfaces, queues that may limit a rate, the speed of each line, and how
# often each has lost its carrier.
_SCRIPT = r"""
ip -j link show 2>/dev/null || echo '[]'
echo ---
tc -j qdisc show 2>/dev/null || echo '[]'
echo ---
for one in /sys/class/net/*; do
  [ -e "$one/device" ] && echo "${one##*/} $(cat "$one/speed" 2>/dev/null)"
done
echo ---
for one in /sys/class/net/*; do
  echo "${one##*/} $(cat "$one/carrier_down_count" 2>/dev/null)"
done
true
"""
_PATIENCE_S = 15.0


def capture(
    hosts: Mapping[str, Callable[[tuple[str, ...]], tuple[str, ...]]], file: str = "links.json"
) -> dict[str, str]:
    """links.json: each host's interfaces, queues and speeds. hosts: name -> what carries a command there.

    Only interfaces of hardware have a speed: a virtual one says 10 Gbit/s whatever carries it.
    """
    with ThreadPoolExecutor() as asking:
        found = zip(hosts, asking.map(_links, hosts.values()), strict=True)
        return {file: json.dumps([{"host": name, **told} for name, told in found], indent=1)}


def _links(wrap: Callable[[tuple[str, ...]], tuple[str, ...]]) -> dict[str, object]:
    try:
        links, queues, speeds, carriers = call(wrap(("sh", "-c", _SCRIPT)), timeout_s=_PATIENCE_S).split("---\n")
        kept = [{key: link[key] for key in ("ifname", "mtu", "operstate") if key in link} for link in json.loads(links)]
        shaped = [queue for queue in json.loads(queues) if queue.get("options", {}).get("rate")]
        return {"links": kept, "queues": shaped, "speeds": _by_name(speeds), "carrier_lost": _by_name(carriers)}
    except RadoscopeError as error:
        return {"error": error.message}
    except (ValueError, TypeError) as error:
        return {"error": str(error)}


def _by_name(lines: str) -> dict[str, str]:
    pairs = (line.split() for line in lines.splitlines())
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def capture_ways(ways: Sequence[Way]) -> dict[str, str]:
    """osd-ways.json: how each host of OSDs is reached from the host of the load."""
    return {"osd-ways.json": json.dumps([asdict(way) for way in ways], indent=1)} if ways else {}
