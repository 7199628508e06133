"""What if: a cluster as a form. Its rates with their intervals, and what limits them, follow while a slider moves."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from radoscope import catalogue
from radoscope.errors import PlanError, RadoscopeError
from radoscope.predict.ask import Question, forecast_and_ask
from radoscope.predict.cluster import read_cluster
from radoscope.predict.facts import STANDARD, Facts, apply_workload
from radoscope.predict.outlook import Known
from radoscope.predict.plan import aimed, parse_target, search
from radoscope.predict.whatif import Change, forecast_all, parse_changes
from radoscope.report.rates import Scale, rate_row
from radoscope.serve.origin import Origin, origin
from radoscope.serve.page import page, told
from radoscope.units import format_count
from radoscope.words import _

NETWORKS = ("1", "2.5", "10", "25", "40", "50", "100", "200")
PROTECTIONS = ("2", "3", "4", "2+2", "4+2", "6+3", "8+3")
"""Copies, or data and coding chunks of an erasure-coded pool."""
_SCALE = Scale(10.0, 1e7)
"""It stands still while the bars move."""
_NUMBERS = {"nodes": "3", "drives_per_node": "4", "network_Gbps": "10", "cores_per_node": "", "cpu_GHz": ""}
_TEXTS = {"drive": "Samsung PM983", "ceph_version": "", "protection": "3", "target": ""}
_LONGEST, _LONGEST_QUERY = 120, 2000


@dataclass(frozen=True, slots=True)
class Asked:
    """The form as it was filled in. origin: where what is known of the cluster was measured. was: the cluster that was
    measured, where the form is what it would become. unticked: known rates, by their places, that do not count."""

    fields: Mapping[str, str]
    origin: Origin | None = None
    was: Asked | None = None
    unticked: frozenset[int] = frozenset()

    @classmethod
    def of(cls, query: QueryParams) -> Asked:
        """Fields that are missing are those of the form when it opens. Raises PlanError for one that is no number,
        StoreError for an origin that is gone."""
        name = query.get("from", "")[:_LONGEST]
        found = origin(name) if name else None
        start = {**_NUMBERS, **_TEXTS, **(found.measured.fields if found else {})}
        fields = {key: query.get(key, usual).strip()[:_LONGEST] for key, usual in start.items()}
        for key in _NUMBERS:
            if fields[key] and not _is_number(fields[key]):
                raise PlanError(
                    _("{field} is a number, not {value!r}", field=key, value=fields[key]), _("Empty is: not known.")
                )
        if fields["drive"] and not (catalogue.match_drive(fields["drive"]) or catalogue.find_family(fields["drive"])):
            none = _("the catalogue has no drive {drive!r}", drive=fields["drive"])
            raise PlanError(none, _("Choose one of the list. Empty is: not known."))
        was = query.get("was", "")[:_LONGEST_QUERY] if found else ""
        if found and found.measured.facts and not was:
            was = urlencode({**start, **dict.fromkeys(("target", "picked"), "")})
        unticked = found.invalid if found else frozenset()
        if found and "picked" in query:
            unticked = frozenset(range(len(found.known))) - {int(at) for at in query.getlist("known") if at.isdecimal()}
        return cls(fields, found, cls.of(QueryParams(was)) if was else None, unticked)

    @property
    def query(self) -> str:
        """The fields as an address has them."""
        return urlencode(self.fields)

    @property
    def toml(self) -> str:
        lines = [f"{name} = {self.fields[name]}" for name in _NUMBERS if self.fields[name]]
        lines += [f"{name} = {_quoted(self.fields[name])}" for name in ("drive", "ceph_version") if self.fields[name]]
        if guard := self.fields["protection"]:
            copies = int(guard) if guard.isdecimal() else 3
            lines.append(f"ec_profile = {_quoted(guard)}" if "+" in guard else f"size = {copies}")
        return "[cluster]\n" + "\n".join(lines) + "\n"

    def changes(self, was: Asked) -> tuple[Change, ...]:
        """What is different from the cluster as it was. Raises PlanError for what cannot be taken back: a fact that is
        known of that one stays."""
        gone = [name for name, value in was.fields.items() if value and not self.fields[name] and name != "target"]
        if gone:
            raise PlanError(
                _("{field} was {value!r} and is empty now", field=gone[0], value=was.fields[gone[0]]),
                _("Write what it becomes."),
            )
        texts = [line for line in self.toml.splitlines()[1:] if line not in was.toml.splitlines()]
        return parse_changes(texts)


async def form(request: Request) -> Response:
    """The form with its answer: works without the script, by its button."""
    query = request.query_params
    if query.get("then") == "change":
        asked = await to_thread.run_sync(Asked.of, query)
        pairs = [(name, value) for name, value in query.multi_items() if name not in ("then", "was")]
        return RedirectResponse(f"/what-if?{urlencode([*pairs, ('was', asked.query)])}", 303)
    return await to_thread.run_sync(shown, query)


def shown(query: QueryParams) -> Response:
    """The form, with the answer to it or what is wrong with it."""
    asked = Asked({**_NUMBERS, **_TEXTS, **dict(query)})
    try:
        asked = Asked.of(query)
        answer = _answer(asked)
    except RadoscopeError as error:
        answer = {"trouble": told(error)}
    choices: dict[str, Any] = {
        "networks": _with(NETWORKS, asked.fields["network_Gbps"]),
        "protections": _with(PROTECTIONS, asked.fields["protection"]),
        "drives": sorted({drive.model for drive in catalogue.drives()}, key=str.lower),
    }
    return page("whatif.html.j2", here="what-if", asked=asked, fields=asked.fields, **choices, **answer)


async def answered(request: Request) -> Response:
    """The answer alone, while a slider moves."""
    asked = await to_thread.run_sync(Asked.of, request.query_params)
    return page("answer.html.j2", **await to_thread.run_sync(_answer, asked))


async def export(request: Request) -> Response:
    """The form as a file for `radoscope predict`."""
    asked = await to_thread.run_sync(Asked.of, request.query_params)
    await to_thread.run_sync(read_cluster, asked.toml)
    headers = {"content-disposition": 'attachment; filename="cluster.toml"'}
    return Response(asked.toml, media_type="application/toml", headers=headers)


def _answer(asked: Asked) -> dict[str, Any]:
    """Of the cluster as the form has it; with an origin, given what was measured of the one that it was."""
    facts = asked.origin.measured.facts if asked.origin else None
    facts = facts or read_cluster((asked.was or asked).toml).facts
    facts, known = asked.origin.given(facts, asked.unticked) if asked.origin else (facts, ())
    changes = asked.changes(asked.was) if asked.was else ()
    questions: tuple[Question, ...] = ()
    if asked.was:
        loads = [apply_workload(facts, name) for name in STANDARD]
        found = forecast_all(loads, changes, known, alone=False)
    else:
        forecasts, questions = forecast_and_ask(facts, STANDARD, known)
        found = tuple((one, ()) for one in forecasts)
    assumed = dict.fromkeys(item for seen, _ratios in found for item in seen.assumed)
    return {
        "rows": [
            rate_row(name, seen, next(iter(ratios), None), _SCALE)
            for name, (seen, ratios) in zip(STANDARD, found, strict=True)
        ],
        "assumed": list(assumed),
        "target": _target(asked.fields["target"], facts, changes, known),
        "questions": questions,
        "changed": bool(asked.was),
        "trouble": None,
    }


def _target(text: str, facts: Facts, changes: tuple[Change, ...], known: tuple[Known, ...]) -> dict[str, Any] | None:
    """The wanted rate as a line, and the least changes that reach it. Raises PlanError for what is no target."""
    if not text:
        return None
    target = parse_target(text)
    ((now, ratios),) = forecast_all([aimed(facts, target)], changes, known, alone=False)
    change = next(iter(ratios), None)
    rate, interval = (change.iops, change.level) if change else (now.iops, now.interval)
    found = () if changes else search(facts, target, known=known)
    ways = [
        {
            "what": _(" and ").join(str(change) for change in one.ratio.changes),
            "iops": format_count(one.ratio.iops),
            "surely": one.surely,
            "next": _(one.ratio.next),
        }
        for one in found
    ]
    return {
        "row": rate_row(text, now, change, _SCALE, target.total),
        "wanted": format_count(target.total),
        "ways": ways,
        "searched": not changes,
        "reached": "surely" if interval.low >= target.total else "perhaps" if rate >= target.total else "no",
    }


def _with(offered: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    return offered if chosen in offered else (chosen, *offered)


def _is_number(text: str) -> bool:
    """One that TOML reads, finite and not negative."""
    try:
        value = tomllib.loads(f"x = {text}")
    except (ValueError, RecursionError):
        return False
    return list(value) == ["x"] and type(value["x"]) in (int, float) and 0 <= value["x"] < 1e9


def _quoted(text: str) -> str:
    """A basic string of TOML, whatever stands in it."""
    plain = "".join(letter for letter in text if letter.isprintable())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


ROUTES = (Route("/what-if", form), Route("/what-if/answer", answered), Route("/what-if/cluster.toml", export))
