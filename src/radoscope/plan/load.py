"""Plans from files and from the package: `quick`, `standard`, and one per published test that began all this."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from radoscope.errors import PlanError
from radoscope.faults import read_toml, text_of
from radoscope.plan.schema import Plan, check_plan


def named_plans() -> tuple[str, ...]:
    """The names of the plans that ship with the package, the smallest first."""
    names = {entry.name.removesuffix(".toml") for entry in resources.files(__package__).joinpath("plans").iterdir()}
    first = [name for name in ("quick", "standard") if name in names]
    return tuple(first + sorted(names - set(first)))


def plan_text(name_or_path: str) -> str:
    """The TOML of a named plan, as shipped, or of a file. Raises PlanError with the known names."""
    if not _is_path(name_or_path):
        if name_or_path not in named_plans():
            hint = f"Known plans: {', '.join(named_plans())}; or give a file."
            raise PlanError(f"there is no plan {name_or_path!r}", hint)
        return resources.files(__package__).joinpath("plans", f"{name_or_path}.toml").read_text(encoding="utf-8")
    return text_of(Path(name_or_path), f"Known plans: {', '.join(named_plans())}.")


def load(name_or_path: str) -> Plan:
    """A named plan or a TOML file, checked. Raises PlanError."""
    place = name_or_path if _is_path(name_or_path) else f"plan {name_or_path}"
    return load_text(plan_text(name_or_path), place)


def _is_path(name_or_path: str) -> bool:
    """Anything with a slash or ending in .toml is a file."""
    return "/" in name_or_path or name_or_path.endswith(".toml")


def load_text(text: str, place: str) -> Plan:
    """TOML text -> Plan. Raises PlanError."""
    return check_plan(read_toml(text, place, "Compare with `radoscope plan show quick`."), place)
