"""A loopback address of its own for each one-host sandbox, so that no two of them can want the same port."""

from __future__ import annotations

import random
import socket

from radoscope.errors import SiteError
from radoscope.sandbox.layout import MON_PORT_V1, MON_PORT_V2, RGW_PORT

_TRIES = 50
# Below the range from which Linux takes ports for outgoing connections (ip_local_port_range begins at 32768).
_PORTS = range(10240, 32767)


def free_address(identity: str) -> tuple[str, tuple[int, int, int]]:
    """An address in 127.0.0.0/8 chosen by the identity, and ports free on it: two of a monitor, one of a gateway.

    OSDs and managers find their own ports from 6800 upwards on the same address. Raises SiteError.
    """
    address = _address(identity)
    candidates = random.Random(identity)
    wanted = (MON_PORT_V2, MON_PORT_V1, RGW_PORT)
    for _ in range(_TRIES):
        if all(_is_free(address, port) for port in wanted):
            return address, wanted
        wanted = (candidates.choice(_PORTS), candidates.choice(_PORTS), candidates.choice(_PORTS))
    raise SiteError(
        f"no free ports for a monitor and a gateway on {address}",
        "Is the loopback interface up (ip link set lo up), and may this process open sockets?",
    )


def _address(identity: str) -> str:
    """127.16.0.1 to 127.255.255.254: away from 127.0.0.1, where other programs listen."""
    number = int(identity, 16)
    return f"127.{16 + number % 240}.{number // 240 % 256}.{1 + number // 61440 % 254}"


def _is_free(address: str, port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True
