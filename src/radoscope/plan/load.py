"""Plans from files and from the package: `quick`, `standard`, and one per published test that began all this."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

from radoscope.errors import PlanError
from radoscope.plan.schema import Plan, check_plan

_LARGEST_PLAN = 2**20


def named_plans() -> tuple[str, ...]:
    """The names of the plans that ship with the package, the smallest first."""
    names = {entry.name.removesuffix(".toml") for entry in resources.files(__package__).joinpath("plans").iterdir()}
    first = [name for name in ("quick", "standard") if name in names]
    return tuple(first + sorted(names - set(first)))


def plan_text(name: str) -> str:
    """The TOML of a named plan, as shipped. Raises PlanError with the known names."""
    if name not in named_plans():
        raise PlanError(f"there is no plan {name!r}", f"Known plans: {', '.join(named_plans())}; or give a file.")
    return resources.files(__package__).joinpath("plans", f"{name}.toml").read_text(encoding="utf-8")


def load(name_or_path: str) -> Plan:
    """A named plan, or a TOML file: anything with a slash or ending in .toml is a file. Raises PlanError."""
    if "/" not in name_or_path and not name_or_path.endswith(".toml"):
        return load_text(plan_text(name_or_path), f"plan {name_or_path}")
    path = Path(name_or_path)
    try:
        if path.stat().st_size > _LARGEST_PLAN:
            raise PlanError(f"{path}: larger than 1 MiB, which is no plan")
        return load_text(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise PlanError(
            f"{path}: cannot be read: {error.strerror}", f"Known plans: {', '.join(named_plans())}."
        ) from None
    except UnicodeDecodeError:
        raise PlanError(f"{path}: not UTF-8 text") from None


def load_text(text: str, place: str) -> Plan:
    """TOML text -> Plan. Raises PlanError."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{place}: not TOML: {error}", "Compare with `radoscope plan show quick`.") from None
    return check_plan(raw, place)
