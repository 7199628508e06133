"""What was said on the command line, as against what holds by default: nothing that was said is ignored in silence."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource


def said() -> frozenset[str]:
    """The names of the parameters that stand on the command line."""
    context = click.get_current_context()
    return frozenset(
        name for name in context.params if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    )


def refuse_all_but(understood: Iterable[str], mode: str, hint: str = "") -> None:
    """Raise PlanError when something was said that this mode of the verb does not heed. mode: `--resume`."""
    from radoscope.errors import PlanError

    options = {param.name: param.opts[-1] for param in click.get_current_context().command.params}
    if odd := sorted(str(options[name]) for name in said().difference(understood)):
        raise PlanError(f"{', '.join(odd)} cannot be combined with {mode}", hint)
