"""The ways from a site to hosts: whether they carry packets, and also those as long as the MTU allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.errors import RadoscopeError
from radoscope.sites import talk
from radoscope.sites.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From the host of the load to a host of the cluster. mtu: of the interface that leads there, None where not known.

    answers: whether it answers pings; large: whether also those as long as that MTU allows. Both None where nobody
    could try, and large where a router on the way says which MTU it has: TCP adapts, as through a tunnel.
    """

    host: str
    address: str
    mtu: int | None = None
    answers: bool | None = None
    large: bool | None = None

    @property
    def payload(self) -> int:
        """Of a ping that is as long as the MTU allows: without the headers of IP and ICMP."""
        return (self.mtu or 0) - (48 if ":" in self.address else 28)

    @property
    def amiss(self) -> str:
        """What is wrong with it, for people; an empty text where nothing is known to be."""
        if self.answers is False:
            return f"{self.host} ({self.address}) does not answer pings"
        if self.large is False:
            size = f"{self.mtu or 0:,} bytes, the MTU of the interface that leads there"
            return f"{self.host} ({self.address}) answers pings, but not those of {size}"
        return ""


_TRY = r"""
for address; do
  (
    link=$(ip -o route get "$address" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
    mtu=$(cat "/sys/class/net/${link:-none}/mtu" 2>/dev/null)
    ping -n -c 2 -i 0.2 -w 3 "$address" >/dev/null 2>&1
    small=$? large=-
    case "$address" in *:*) headers=48 ;; *) headers=28 ;; esac
    if [ "$small" = 0 ] && [ -n "$mtu" ]; then
      told=$(LC_ALL=C ping -n -M do -s $((mtu - headers)) -c 2 -i 0.2 -w 3 "$address" 2>&1)
      large=$?
      case "$told" in *transmitted*) ;; *) large=- ;; esac
      [ "$mtu" -le 1500 ] && case "$told" in *[Ff]rag*|*"too long"*|*"too big"*) large=- ;; esac
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
