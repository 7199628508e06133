"""What if: a cluster as a form. Its rates with their intervals, and what limits them, follow while a slider moves."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anyio import to_thread
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from radoscope import catalogue, predict
from radoscope.errors import PlanError, RadoscopeError
from radoscope.predict import Forecast
from radoscope.serve.page import page, part
from radoscope.units import format_count, format_seconds
from radoscope.words import _

NETWORKS = ("1", "2.5", "10", "25", "40", "50", "100", "200")
PROTECTIONS = ("2", "3", "4", "2+2", "4+2", "6+3", "8+3")
"""Copies, or data and coding chunks of an erasure-coded pool."""
_LOWEST, _HIGHEST = 10.0, 1e7
"""IOPS at the ends of every bar: the scale stands still while the bars move."""
WIDTH = 360
"""Of a bar, in units of its picture."""
_NUMBERS = {"nodes": "3", "drives_per_node": "4", "network_Gbps": "10", "cores_per_node": "", "cpu_GHz": ""}
_TEXTS = {"drive": "Samsung PM983", "ceph_version": "", "protection": "3", "target": ""}
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Asked:
    """The form as it was filled in. toml: the same as a cluster file."""

    fields: Mapping[str, str]

    @classmethod
    def of(cls, query: QueryParams) -> Asked:
        """Fields that are missing are those of the form when it opens. Raises PlanError for one that is no number."""
        start = {**_NUMBERS, **_TEXTS}
        fields = {name: query.get(name, usual).strip()[:_LONGEST] for name, usual in start.items()}
        for name in _NUMBERS:
            if fields[name] and not _is_number(fields[name]):
                raise PlanError(f"{name} is a number, not {fields[name]!r}", "Empty is: not known.")
        return cls(fields)

    @property
    def toml(self) -> str:
        lines = [f"{name} = {self.fields[name]}" for name in _NUMBERS if self.fields[name]]
        lines += [f"{name} = {_quoted(self.fields[name])}" for name in ("drive", "ceph_version") if self.fields[name]]
        guard = self.fields["protection"]
        lines.append(
            f"ec_profile = {_quoted(guard)}" if "+" in guard else f"size = {int(guard) if guard.isdecimal() else 3}"
        )
        return "[cluster]\n" + "\n".join(lines) + "\n"


async def form(request: Request) -> Response:
    """The form with its answer: works without the script, by its button."""
    try:
        asked = Asked.of(request.query_params)
        answer = await to_thread.run_sync(_answer, asked)
    except RadoscopeError as error:
        asked, answer = Asked({**_NUMBERS, **_TEXTS, **dict(request.query_params)}), _trouble(error)
    choices: dict[str, Any] = {"networks": NETWORKS, "protections": PROTECTIONS, "drives": _drives()}
    return page("whatif.html.j2", here="what-if", fields=asked.fields, **choices, **answer)


async def answered(request: Request) -> Response:
    """The answer alone, while a slider moves."""
    return part("answer.html.j2", **await to_thread.run_sync(_answer, Asked.of(request.query_params)))


async def export(request: Request) -> Response:
    """The form as a file for `radoscope predict`."""
    asked = Asked.of(request.query_params)
    await to_thread.run_sync(predict.read_cluster, asked.toml)
    headers = {"content-disposition": 'attachment; filename="cluster.toml"'}
    return Response(asked.toml, media_type="application/toml", headers=headers)


def _answer(asked: Asked) -> dict[str, Any]:
    described = predict.read_cluster(asked.toml)
    model = predict.load_model()
    seen = [(name, predict.forecast(predict.apply_workload(described.facts, name), model)) for name in predict.STANDARD]
    assumed = dict.fromkeys(item for _, one in seen for item in one.assumed)
    rows = [_row(name, one) for name, one in seen]
    target = _target(asked.fields["target"], described, model)
    questions = predict.ask(described.facts, predict.STANDARD, model)
    return {"rows": rows, "assumed": list(assumed), "target": target, "questions": questions, "toml": asked.toml,
            "width": WIDTH, "trouble": None}  # fmt: skip


def _trouble(error: RadoscopeError) -> dict[str, Any]:
    return {"rows": [], "assumed": [], "target": None, "questions": (), "toml": "", "width": WIDTH, "trouble": error}


def _target(text: str, described: predict.Description, model: predict.Model) -> dict[str, Any] | None:
    """The wanted rate as a line, and the least changes that reach it. Raises PlanError for what is no target."""
    if not text:
        return None
    target = predict.parse_target(text)
    now = predict.forecast(predict.aimed(described.facts, target), model)
    found = predict.search(described.facts, target, model, {**predict.COSTS, **described.costs})
    ways = [
        {
            "what": _(" and ").join(str(change) for change in one.ratio.changes),
            "iops": format_count(one.ratio.iops),
            "surely": one.surely,
            "next": _(one.ratio.next),
        }
        for one in found
    ]
    wanted = format_count(target.total)
    reached = "surely" if now.interval.low >= target.total else "perhaps" if now.iops >= target.total else "no"
    return {"row": {**_row(text, now), "line": _at(target.total)}, "wanted": wanted, "ways": ways, "reached": reached}


def _row(name: str, seen: Forecast) -> dict[str, Any]:
    start, end = _at(seen.interval.low), _at(seen.interval.high)
    return {
        "name": name,
        "iops": format_count(seen.iops),
        "span": _("{low} to {high}", low=format_count(seen.interval.low), high=format_count(seen.interval.high)),
        "megabytes": format_count(seen.bandwidth_bytes_per_s / 1e6),
        "latency": format_seconds(seen.latency_s),
        "bottleneck": _(seen.bottleneck),
        "from": start,
        "width": max(1.0, round(end - start, 1)),
        "middle": _at(seen.iops),
        "line": None,
    }


def _at(rate: float) -> float:
    share = math.log(max(rate, _LOWEST) / _LOWEST) / math.log(_HIGHEST / _LOWEST)
    return round(WIDTH * min(1.0, share), 1)


def _drives() -> list[str]:
    return sorted({drive.model for drive in catalogue.drives()}, key=str.lower)


def _is_number(text: str) -> bool:
    """One that TOML reads, finite and not negative."""
    try:
        value = tomllib.loads(f"x = {text}")
    except tomllib.TOMLDecodeError:
        return False
    return list(value) == ["x"] and type(value["x"]) in (int, float) and 0 <= value["x"] < 1e9


def _quoted(text: str) -> str:
    """A basic string of TOML, whatever stands in it."""
    plain = "".join(letter for letter in text if letter.isprintable())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


ROUTES = (Route("/what-if", form), Route("/what-if/answer", answered), Route("/what-if/cluster.toml", export))
