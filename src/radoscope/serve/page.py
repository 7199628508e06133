"""Every page in the clothes of the reports, and the one that says what went wrong."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from radoscope.errors import PlanError, RadoscopeError, StoreError, UnreadableFile
from radoscope.report.document import page_template, style
from radoscope.words import N_, _

_STATIC = {"serve.css": "text/css", "serve.js": "text/javascript", "icon.svg": "image/svg+xml"}
_STATUS = {PlanError: 400, UnreadableFile: 422, StoreError: 404}
_HTTP = {
    404: (N_("There is no such page."), N_("Begin at the library.")),
    405: (N_("This page takes no such request."), N_("Use the form on the page.")),
    400: (N_("This request is not understood."), N_("Use the form on the page.")),
}


def render(name: str, /, **values: Any) -> str:
    """A template of ours; all text in it is escaped."""
    return page_template(f"radoscope.serve.templates/{name}").render(**values)


def page(name: str, /, **values: Any) -> Response:
    """A page, or a piece of one that its script fetches. here: the entry of the navigation that a page belongs to."""
    return HTMLResponse(render(name, **values))


def refusal(scope: Scope, status: int, message: str, hint: str = "") -> Response:
    """What went wrong, in a sentence; as part of a page where the script asked, and as plain text for a program."""
    headers = dict(scope.get("headers", ()))
    if headers.get(b"x-part"):
        return HTMLResponse(render("trouble.html.j2", message=message, hint=hint), status)
    if b"html" in headers.get(b"accept", b"text/html") or b"*/*" not in headers.get(b"accept", b""):
        return HTMLResponse(render("refusal.html.j2", here="", message=message, hint=hint), status)
    return Response(f"{message} {hint}".strip() + "\n", status, media_type="text/plain")


def refused(request: Request, error: Exception) -> Response:
    """The page of an error that radoscope reports, or of a request that fits no page."""
    if isinstance(error, HTTPException):
        message, hint = _HTTP.get(error.status_code, (N_("This request cannot be answered."), ""))
        return refusal(request.scope, error.status_code, _(message), _(hint))
    assert isinstance(error, RadoscopeError)
    return refusal(request.scope, _STATUS.get(type(error), 409), *told(error))


def told(error: RadoscopeError) -> tuple[str, str]:
    """What happened, as a sentence, and what to do."""
    words = error.message[:1].upper() + error.message[1:]
    return words if words.endswith((".", "。")) else _("{sentence}.", sentence=words), error.hint


def asset(request: Request) -> Response:
    """Our own style and script; `report.css` is that of the reports."""
    name = request.path_params["name"]
    headers = {"cache-control": "no-cache"}
    if name == "report.css":
        return Response(str(style()), media_type="text/css", headers=headers)
    if name not in _STATIC:
        raise HTTPException(404)
    text = (files("radoscope.serve") / "static" / name).read_text(encoding="utf-8")
    return Response(text, media_type=_STATIC[name], headers=headers)
