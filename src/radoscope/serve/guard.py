"""Who may talk to the server, and how much may be said: the token, the host, the origin, the size, and no traceback."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from radoscope.words import _, language_wished, reading

LARGEST_BODY = 80_000_000
"""Bytes of one request: a text of 64 MB, or a folder of that size, with what a form adds."""
_SAFE_METHODS = ("GET", "HEAD")
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer, a browser sends its own forms with the origin "null"
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}

Refuse = Callable[[Scope, int, str, str], Response]
"""(scope, status, what happened, what to do) -> a page that says so."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server listens, and the secret that opens it. Whoever reads the first address may come in.

    cluster: the words of the command line that name the user's own cluster, "--conf" and its file first; none where no
    page may measure it. Pages cannot name one.
    """

    address: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    cluster: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """Its name holds the port: browsers keep one jar for all ports of a host."""
        return f"radoscope-{self.port}"

    @property
    def loopback(self) -> bool:
        return ipaddress.ip_address(self.address).is_loopback

    @property
    def first_url(self) -> str:
        host = f"[{self.address}]" if ":" in self.address else self.address
        if ipaddress.ip_address(self.address).is_unspecified:
            host = socket.gethostname()
        return f"http://{host}:{self.port}/?token={self.token}"

    def knows_host(self, header: str) -> bool:
        """Whether a request was meant for this server. A foreign name that leads here is an attack (DNS rebinding)."""
        try:
            url = urlsplit(f"//{header}")
            name, port = (url.hostname or "").lower(), url.port or 80
        except ValueError:
            return False
        if port != self.port:
            return False
        if self.loopback:
            return name in ("localhost", "127.0.0.1", "::1", self.address)
        return name in ("localhost", socket.gethostname().lower(), socket.getfqdn().lower()) or _is_address(name)

    def opens(self, said: str) -> bool:
        return secrets.compare_digest(said.encode("utf-8", "replace"), self.token.encode())


class Guard:
    """Stands before every page. refuse: makes the page of a refusal."""

    def __init__(self, app: ASGIApp, door: Door, refuse: Refuse) -> None:
        self._app, self._door, self._refuse = app, door, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with reading(language_wished(Headers(scope=scope).get("accept-language", ""))):
            answer = self._first(scope) or self._objection(scope)
            if answer is not None:
                await answer(scope, receive, _with_headers(send))
                return
            await self._passed(scope, receive, send)

    def _first(self, scope: Scope) -> Response | None:
        """The first address, with the token: it becomes a cookie, and leaves the address bar and the history."""
        said = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["method"] != "GET" or not said or not self._door.knows_host(Headers(scope=scope).get("host", "")):
            return None
        if not self._door.opens(said[0]):
            return self._unknown(scope)
        answer = RedirectResponse("/" + scope["path"].lstrip("/\\"), 303)
        answer.set_cookie(self._door.cookie, self._door.token, httponly=True, samesite="lax", path="/")
        return answer

    def _objection(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._door.knows_host(headers.get("host", "")):
            return self._refuse(
                scope, 421, _("This address is not the server's."), _("Use the address that it printed.")
            )
        if not _own_origin(scope, headers):
            return self._refuse(scope, 403, _("Another site sent this request."), _("Only radoscope's own pages may."))
        if scope["path"].startswith("/static/"):
            return None
        if not self._door.opens(HTTPConnection(scope).cookies.get(self._door.cookie, "")):
            return self._unknown(scope)
        return None

    def _unknown(self, scope: Scope) -> Response:
        hint = _("Open the whole address that radoscope serve printed when it started, with its token.")
        return self._refuse(scope, 401, _("This browser is not known here."), hint)

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await _with_headers(send)(message)

        try:
            if _announced(Headers(scope=scope)) > LARGEST_BODY:
                raise TooLarge
            await self._app(scope, _bounded(receive), sent)
        except TooLarge:
            hint = _("Cut out the part with the results, or import it on the command line: radoscope import FILE")
            answer = self._refuse(scope, 413, _("More than {size} MB were sent.", size=LARGEST_BODY // 1_000_000), hint)
        except ClientDisconnect:
            return
        except Exception as fault:  # noqa: BLE001  a fault of ours ends one request, and the page says so
            tell(scope, fault)
            answer = self._refuse(
                scope,
                500,
                _("This is a fault in radoscope."),
                _("The server's terminal shows where. Please report it."),
            )
        else:
            return
        if not begun:
            await answer(scope, receive, _with_headers(send))


class TooLarge(Exception):
    """A request's body is over the bound."""


def tell(scope: Scope, fault: BaseException) -> None:
    """One line on the terminal: what failed, and where."""
    places = traceback.extract_tb(fault.__traceback__)
    where = f"{places[-1].filename}:{places[-1].lineno}" if places else "?"
    path = scope["path"].encode("ascii", "replace").decode()
    sys.stderr.write(
        f"radoscope serve: {scope['method']} {path!r}: {type(fault).__name__} at {where}: {fault!s:.200}\n"
    )


def _own_origin(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from our pages, or from nobody's: typed, followed, or made by a program."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin not in (None, "null"):
        return origin == f"{scope['scheme']}://{headers.get('host', '')}"
    if scope["method"] in _SAFE_METHODS:
        return site in (None, "none", "same-origin") or headers.get("sec-fetch-mode") == "navigate"
    return site == "same-origin" or (site is None and origin is None)


def _announced(headers: Mapping[str, str]) -> int:
    said = headers.get("content-length", "0")
    return int(said) if said.isdecimal() and len(said) < 16 else 0


def _bounded(receive: Receive) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            raise TooLarge
        return message

    return counted


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    """Every answer says what a browser may do with it; a page that says so itself keeps its own word."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
