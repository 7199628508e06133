"""The network: hosts' interfaces with what each can carry, and the ways to the hosts of the OSDs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from radoscope.errors import RadoscopeError
from radoscope.sites import Site, talk
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
    with ThreadPoolExecutor() as asking:
        found = zip(hosts, asking.map(_links, hosts.values()), strict=True)
        return {"links.json": json.dumps([{"host": name, **told} for name, told in found], indent=1)}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From the host of the load to a host of OSDs. mtu: of the interface that leads there, None where not known.

    answers: whether it answers pings; large: whether also those as long as that MTU allows. Both None where nobody
    could try, and large where the MTU is no more than Ethernet's 1,500.
    """

    host: str
    address: str
    mtu: int | None = None
    answers: bool | None = None
    large: bool | None = None


_TRY = r"""
for address; do
  (
    link=$(ip -o route get "$address" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
    mtu=$(cat "/sys/class/net/${link:-none}/mtu" 2>/dev/null)
    ping -n -c 2 -i 0.2 -w 3 "$address" >/dev/null 2>&1
    small=$? large=-
    case "$address" in *:*) headers=48 ;; *) headers=28 ;; esac
    if [ "$small" = 0 ] && [ "${mtu:-0}" -gt 1500 ]; then
      ping -n -M do -s $((mtu - headers)) -c 2 -i 0.2 -w 3 "$address" >/dev/null 2>&1
      large=$?
    fi
    echo "$address ${mtu:--} $small $large"
  ) &
done
wait
"""
_ANSWERED = {"0": True, "1": False}
"""Exit codes of ping (iputils); others are faults of its own, as when it may not send."""


def ways(site: Site, hosts: Sequence[tuple[str, str]]) -> tuple[Way, ...]:
    """Tries the way from a host to others, side by side. hosts: name and address of each."""
    try:
        told = talk.tell(site, _TRY, *(address for _, address in hosts)).decode("utf-8", "replace")
    except RadoscopeError:
        return tuple(Way(host=name, address=address) for name, address in hosts)
    seen = {fields[0]: fields[1:] for line in told.splitlines() if len(fields := line.split()) == 4}
    found = []
    for name, address in hosts:
        mtu, small, large = seen.get(address, ("-", "-", "-"))
        number = int(mtu) if mtu.isdigit() else None
        way = Way(host=name, address=address, mtu=number, answers=_ANSWERED.get(small), large=_ANSWERED.get(large))
        found.append(way)
    return tuple(found)


def capture_ways(ways: Sequence[Way]) -> dict[str, str]:
    """osd-ways.json: how each host of OSDs is reached from the host of the load."""
    return {"osd-ways.json": json.dumps([asdict(way) for way in ways], indent=1)} if ways else {}
