"""The network interfaces of hosts: what each can carry, as the kernel says it, and its largest packet."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from radoscope.errors import RadoscopeError
from radoscope.tools import call

# Three parts with a line of dashes in between: interfaces, queues that may limit a rate, and the speed of each line.
_SCRIPT = r"""
ip -j link show 2>/dev/null || echo '[]'
echo ---
tc -j qdisc show 2>/dev/null || echo '[]'
echo ---
for one in /sys/class/net/*; do
  [ -e "$one/device" ] && echo "${one##*/} $(cat "$one/speed" 2>/dev/null)"
done
true
"""
_PATIENCE_S = 15.0


def capture(hosts: Mapping[str, Callable[[tuple[str, ...]], tuple[str, ...]]]) -> dict[str, str]:
    """links.json: each host's interfaces, queues and speeds. hosts: name -> what carries a command there.

    Only interfaces of hardware have a speed: a virtual one says 10 Gbit/s whatever carries it.
    """
    return {"links.json": json.dumps([{"host": name, **_links(wrap)} for name, wrap in hosts.items()], indent=1)}


def _links(wrap: Callable[[tuple[str, ...]], tuple[str, ...]]) -> dict[str, object]:
    try:
        links, queues, speeds = call(wrap(("sh", "-c", _SCRIPT)), timeout_s=_PATIENCE_S).split("---\n")
        kept = [{key: link[key] for key in ("ifname", "mtu", "operstate") if key in link} for link in json.loads(links)]
        shaped = [queue for queue in json.loads(queues) if queue.get("options", {}).get("rate")]
        pairs = (line.split() for line in speeds.splitlines())
        return {"links": kept, "queues": shaped, "speeds": {pair[0]: pair[1] for pair in pairs if len(pair) == 2}}
    except RadoscopeError as error:
        return {"error": error.message}
    except (ValueError, TypeError) as error:
        return {"error": str(error)}
