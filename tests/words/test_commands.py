"""Commands of radoscope that findings, hints and help tell people to type are commands that there are."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import click

from radoscope.cli.main import VERBS

SOURCES = Path(__file__).parents[2] / "src" / "radoscope"
_COMMAND = re.compile(r"\bradoscope (?P<verb>[a-z][a-z-]*)(?P<rest>[^.;:`|\n),]*)")


def _texts() -> Iterator[str]:
    """Every text of the sources; what an f-string puts in stands as X."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
                yield "".join(parts)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _typed() -> set[tuple[str, tuple[str, ...]]]:
    """The verbs, each with the options that stand behind it."""
    return {
        (match["verb"], tuple(re.findall(r"--[a-z][a-z-]*", match["rest"])))
        for text in _texts()
        for match in _COMMAND.finditer(text)
        if "--" in match["rest"]
    }


def _options(command: click.Command) -> set[str]:
    """Those that are shown, of a group's commands as well."""
    shown = [param for param in command.params if not (isinstance(param, click.Option) and param.hidden)]
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return {name for param in shown for name in (*param.opts, *param.secondary_opts)}.union(*map(_options, below))


def _can_be_typed(verb: str, options: tuple[str, ...]) -> bool:
    if verb not in VERBS:
        return False
    module = importlib.import_module(f"radoscope.cli.{verb.replace('-', '_')}{'_' * (verb in ('import', 'list'))}")
    return set(options) <= _options(module.command)


def test_each_command_that_is_named_can_be_typed() -> None:
    typed = _typed()
    assert len(typed) > 20
    assert not [f"radoscope {verb} {' '.join(options)}" for verb, options in typed if not _can_be_typed(verb, options)]
