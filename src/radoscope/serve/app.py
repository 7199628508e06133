"""The pages by their addresses, and the server under them."""

from __future__ import annotations

import gc
import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from radoscope import workflow
from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.report import render_html
from radoscope.run.journal import running_now
from radoscope.serve import lab, library, live, paste, reports, whatif
from radoscope.serve.guard import Door, Guard
from radoscope.serve.page import asset, refusal, refused
from radoscope.workflow.rehearse import EXAMPLE, recorded


def build(door: Door) -> ASGIApp:
    """All pages behind the guard."""
    routes: Sequence[BaseRoute] = (
        Mount("/static", routes=[Route("/{name}", asset)]),
        *paste.ROUTES,
        *library.ROUTES,
        *whatif.ROUTES,
        *live.ROUTES,
        *lab.ROUTES,
    )
    handlers = {RadoscopeError: refused, HTTPException: refused}
    pages = Starlette(routes=routes, exception_handlers=handlers)
    pages.router.redirect_slashes = False
    pages.state.door = door
    return Guard(pages, door, refusal)


def run(address: str, port: int, say: Callable[[str], None], cluster: tuple[str, ...] = ()) -> None:
    """Serve until Ctrl-C. Raises PlanError for an address that is none of this host's, SiteError for a port in use."""
    import uvicorn

    listening = _listen(address, port)
    door = Door(address=address, port=listening.getsockname()[1], cluster=cluster)
    if not door.loopback:
        say(f"Note: {address} is not loopback. What is sent is not encrypted, and the token is all that protects it.")
    say(f"Open this address in a browser:\n  {door.first_url}\nCtrl-C ends the server; studies that run go on.")
    config = uvicorn.Config(build(door), log_level="critical", access_log=False, server_header=False, lifespan="off")
    config.timeout_graceful_shutdown = 1
    threading.Thread(target=_warm).start()
    with listening, suppress(KeyboardInterrupt):  # uvicorn hands it on when it has ended
        uvicorn.Server(config).run(sockets=[listening])


_OF_ALL_KINDS = b"""write: IOPS=1000, BW=3.9MiB/s

| test | IOPS | latency |
|---|---|---|
| 4k randread qd=8 | 9000 | 0.9 ms |

With dd the old pool gives 500 MB/s write.
"""
"""A text for which most patterns of the readers are compiled."""


def _warm() -> None:
    """Load what the first paste, report and what-if would wait for: a second of modules, patterns and templates.

    While something is measured the first reader waits instead.
    """
    if running_now():
        return
    with suppress(RadoscopeError), recorded(EXAMPLE) as folder:
        render_html(workflow.assess(workflow.load_study(str(folder))), reports.SHOWN)
        key = paste.judge("text", {"text": _OF_ALL_KINDS})
        whatif.shown(QueryParams({"from": key}))
    gc.freeze()  # what is loaded now stays: a full collection would look through it in the midst of a page


def _listen(address: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    except ValueError:
        raise PlanError(f"{address!r} is no IP address", "Loopback is 127.0.0.1; 0.0.0.0 is every network.") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(256)
    except OSError as error:
        listening.close()
        raise SiteError(
            f"cannot listen on {address} port {port}: {error.strerror}", "Name another with --port; 0 takes a free one."
        ) from None
    return listening
