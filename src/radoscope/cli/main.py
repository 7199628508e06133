"""`radoscope VERB`: finds the verb's file, and turns errors into one sentence, one hint, one exit code."""

from __future__ import annotations

import importlib
import os
import sys
from typing import NoReturn

import click

from radoscope import __version__
from radoscope.cli.guarded import guarded
from radoscope.errors import RadoscopeError
from radoscope.words import LANGUAGES, language_of, reading

# Verb -> what it does. Each is the object `command` of radoscope.cli.VERB (import and ls have names that Python
# keeps for itself, hence the trailing underscore). The table stands here so that --help loads none of them.
VERBS: dict[str, str] = {
    "study": "Measure a cluster layer by layer: disk, network, RADOS, RBD.",
    "scenario": "Inject a fault into a steady load on a sandbox: what happens, and is data lost?",
    "osd-bench": "Run every OSD's own bench: which one is slower than its peers?",
    "show": "Show a study: the verdict table on the terminal.",
    "report": "Write a study as one HTML and one Markdown file.",
    "list": "List the studies and imports on this host.",
    "import": "Read any pasted benchmark text or result folder, and judge it.",
    "export": "Export results as JSON, CSV or Parquet, or a study's raw files to share.",
    "rm": "Remove a study or an import.",
    "compare": "Is B faster than A? Two or more studies, cell by cell, with intervals.",
    "ab": "Run an A/B experiment: switch, settle, measure in random blocks, restore.",
    "serve": "Open the laboratory in a browser: paste, library, measure, what if, lab.",
    "predict": "Predict a cluster from its hardware, or from what was measured on it.",
    "simulate": "Simulate a cluster, event by event.",
    "catalogue": "Published results and drives to compare with.",
    "plan": "List, show and check plans.",
    "sandbox": "A real throw-away Ceph cluster on this machine.",
    "doctor": "Say what is missing on this host, with the one command that installs it.",
    "clean": "Find and remove what any radoscope run left behind.",
}


class _LazyGroup(click.Group):
    """Loads a verb's module only when that verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        module = importlib.import_module(
            f"radoscope.cli.{name}_" if name in ("import", "list") else f"radoscope.cli.{name.replace('-', '_')}"
        )
        command: click.Command = module.command
        return _in_every_language(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _read_in(context: click.Context, _param: click.Parameter, language: str | None) -> None:
    """Messages are in this language until the command ends; without one, radoscope itself asks the environment, and a
    verb leaves the language as it is."""
    if language or context.command is command:
        context.with_resource(reading(language or language_of(os.environ)))


def _for_machines(context: click.Context, _param: click.Parameter, as_json: bool) -> bool:
    """JSON is the same for all readers: whatever it says is English."""
    if as_json:
        context.with_resource(reading("en"))
    return as_json


def _in_every_language(verb: click.Command) -> click.Command:
    """The verb with --lang, which stands before the verb or behind it, and with English in its JSON."""
    if all(param.name != "lang" for param in verb.params):
        codes = click.Choice(tuple(LANGUAGES))
        verb.params.append(
            click.Option(["--lang"], type=codes, expose_value=False, is_eager=True, hidden=True, callback=_read_in)
        )
    for param in verb.params:
        if param.name == "as_json":
            param.callback = _for_machines
    return verb


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--lang",
    type=click.Choice(tuple(LANGUAGES)),
    expose_value=False,
    is_eager=True,
    callback=_read_in,
    help="Language of reports and findings; that of LANG when not given. JSON stays English.",
)
@click.version_option(__version__, prog_name="radoscope")
@click.pass_context
def command(context: click.Context) -> None:
    """A performance laboratory for Ceph: measures a cluster layer by layer, and says how sure it is.

    Without a verb it says what to do next.
    """
    if context.invoked_subcommand is None:
        from radoscope.cli.next_steps import next_steps

        for line in next_steps():
            click.echo(line)


def main() -> NoReturn:
    """The entry point. Exit codes: 0 success, 1 to 7 see errors.py, 2 also wrong usage, 130 Ctrl-C, 143 SIGTERM."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's threads spin for 0.12 s of CPU; our matrices are small
    with guarded() as streams:
        try:
            _run()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        sys.stdout.flush()
        code = streams.exit_code(code)
    sys.exit(code)


def _run() -> None:
    """Raises SystemExit where it does not end well."""
    try:
        command.main(standalone_mode=False)
    except click.exceptions.Abort:
        fail("Interrupted.", code=130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except RadoscopeError as error:
        fail(error.message, error.hint, error.exit_code)


def fail(message: str, hint: str = "", code: int = 1) -> NoReturn:
    click.secho(f"radoscope: {message}", fg="red", err=True)
    if hint:
        click.echo(f"  hint: {hint}", err=True)
    sys.exit(code)
