"""radoscope study: measure, show, report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli.ending import conclude, stopping
from radoscope.cli.said import refuse_all_but, said

if TYPE_CHECKING:
    from radoscope.plan import Plan
    from radoscope.workflow import StudyRequest, Target

_TARGET = {
    **{name: name for name in ("sandbox", "conf", "user", "keyring", "pool", "replicas", "crush_rule", "disk_folder")},
    "disk_device": "device",
    "client": "clients",
    "ssh_config": "ssh_config",
}
"""Options that say which cluster, and the fields of Target that hold them."""

_PERMISSIONS = ("allow_unhealthy", "as_hard_as_it_goes", "pinned_layers")
_CONSENT = ("destroy_data_on_it",)
"""What is permitted is said for each run, also for one that goes on."""


@click.command()
@click.option("--plan", "plan_name", default="quick", show_default=True, help="A plan by name, or a TOML file.")
@click.option("--sandbox", metavar="NAME", help="Measure this sandbox.")
@click.option("--conf", type=click.Path(path_type=Path), help="The ceph.conf of your own cluster.")
@click.option("--id", "user", default="admin", show_default=True, help="The cephx user that creates and removes pools.")
@click.option("--keyring", type=click.Path(path_type=Path), help="The keyring of that user, unless ceph.conf names it.")
@click.option("--pool", help="Measure in this existing pool. Default: radoscope's own pool, removed at the end.")
@click.option("--replicas", type=click.IntRange(1, 10), help="Size of radoscope's own pool.")
@click.option("--crush-rule", help="CRUSH rule of radoscope's own pool.")
@click.option(
    "--client",
    multiple=True,
    metavar="HOST",
    help="Generate load on this host; repeatable. On a sandbox client1, client2...; else here, ssh:USER@HOST.",
)
@click.option(
    "--ssh-config", type=click.Path(path_type=Path), help="Used instead of ~/.ssh/config for --client ssh:..."
)
@click.option("--disk-folder", type=click.Path(path_type=Path), help="Where the disk cells write their test file.")
@click.option("--disk-device", type=click.Path(path_type=Path), help="Measure this empty device instead of a file.")
@click.option(
    "--destroy-data-on-it", is_flag=True, help="Confirm that the device given with --disk-device may be overwritten."
)
@click.option("--cells", "only", multiple=True, help="Only cells that match this pattern, e.g. 'rbd-4k-*'; repeatable.")
@click.option("--precision", help="Target half-width of each interval, e.g. 5%.")
@click.option("--at-most", help="Time limit per cell, e.g. 60s.")
@click.option("--rounds", type=click.IntRange(1, 1000), help="Minimum number of segments per cell.")
@click.option("--seconds", help="Length of one segment, e.g. 3s.")
@click.option("--limit", metavar="LIMIT", help="Search for the highest IOPS under this limit, e.g. 'p99 <= 10ms'.")
@click.option("--allow-unhealthy", is_flag=True, help="Measure an unhealthy cluster; the report says so.")
@click.option(
    "--as-hard-as-it-goes",
    is_flag=True,
    help="On your own cluster: full load from the first second, without giving way to other clients.",
)
@click.option("--resume", metavar="STUDY", help="Continue an interrupted study.")
@click.option(
    "--scenario",
    metavar="NAME",
    help="Inject a fault into a steady load, on a sandbox: lose-an-osd, lose-a-host, add-a-host, recover.",
)
@click.option("--pinned-layers", is_flag=True, help="Allow single-replica pools on this cluster.")
@click.option("--osd-bench", is_flag=True, help="Run every OSD's own bench instead: which one is slow?")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also write the HTML and Markdown report here.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, progress on standard error.")
@click.option("--dry-run", is_flag=True, help="Print plan, time, bytes and commands, then exit.")
@click.option("--quiet", is_flag=True, help="No progress.")
def command(**options: Any) -> None:
    """Measure a cluster layer by layer: disk, network, RADOS, RBD.

    Without --sandbox or --conf, radoscope starts a real Ceph cluster on this machine and removes it at the end.
    """
    if options["osd_bench"]:
        from radoscope.cli.osd_bench_text import bench

        bench(options)
        return
    if options["scenario"]:
        from radoscope.cli.scenario_text import play

        play(options)
        return
    from radoscope.workflow import describe_plan

    request = _request(options)
    if options["dry_run"]:
        for line in describe_plan(request):
            click.echo(line)
        return
    _run(request, options)


def _request(options: dict[str, Any]) -> StudyRequest:
    from radoscope.plan import load
    from radoscope.workflow import StudyRequest

    if options["resume"]:
        request = _going_on(options)
    else:
        plan = overridden(load(options["plan_name"]), options)
        request = StudyRequest.build(plan, target_of(options), only=options["only"])
    return permitted(request, options)


def permitted(request: StudyRequest, options: dict[str, Any]) -> StudyRequest:
    """The same with what the user permits, as far as the verb knows of it."""
    return replace(request, **{name: options[name] for name in _PERMISSIONS if name in options})


def _going_on(options: dict[str, Any]) -> StudyRequest:
    """With the plan and the cluster of the study, unless the way to that cluster is said anew."""
    from radoscope.workflow import study_folder
    from radoscope.workflow.study import resumed

    refuse_all_but(
        ("resume", *_TARGET, *_PERMISSIONS, *_CONSENT, "output", "as_json", "dry_run", "quiet"),
        "--resume",
        "A study continues with the plan that it started with.",
    )
    named = {_TARGET[name]: value for name, value in _target_fields(options).items() if name in said()}
    request = resumed(study_folder(options["resume"]), named)
    _check_consent(request.target.device, options)
    return request


def target_of(options: dict[str, Any]) -> Target:
    from radoscope.workflow import Target

    _check_consent(options["disk_device"], options)
    return Target(**{_TARGET[name]: value for name, value in _target_fields(options).items()})


def _target_fields(options: dict[str, Any]) -> dict[str, Any]:
    """The options that make a Target, with whole paths and the user's whole name."""
    fields = {name: options[name] for name in _TARGET if name in options}
    whole = {name: value.absolute() for name, value in fields.items() if isinstance(value, Path)}
    user = options["user"]
    return {**fields, **whole, "user": user if "." in user else f"client.{user}"}


def _check_consent(device: Path | None, options: dict[str, Any]) -> None:
    """Raise PlanError when a device would be overwritten and that was not said."""
    from radoscope.errors import PlanError

    if device and not options["destroy_data_on_it"]:
        raise PlanError(
            f"the disk cells would overwrite {device}",
            "If nothing on it is needed, add --destroy-data-on-it. Without --disk-device they use a file.",
        )


def overridden(plan: Plan, options: dict[str, Any]) -> Plan:
    """The plan with what was said on the command line; checked again as a whole."""
    from radoscope.plan.schema import check_plan

    names = ("precision", "at_most", "rounds", "seconds")
    said = {name: options[name] for name in names if options.get(name) is not None}
    if options.get("limit"):
        said["cells"] = limited(plan, options["limit"])
    return check_plan({**plan.model_dump(mode="json"), **said}, "the command line") if said else plan


def limited(plan: Plan, limit: str) -> list[dict[str, Any]]:
    """The plan's cells with a latency limit on each open loop. Raises PlanError where there is none, or no limit."""
    from radoscope.errors import PlanError
    from radoscope.plan.limit import parse_limit

    parse_limit(limit)
    cells = plan.model_dump(mode="json")["cells"]
    if not any(cell["rate_iops"] for cell in cells):
        hint = "radoscope study --plan response-curve has some; in your own plan it is a key of a cell."
        raise PlanError(f"--limit needs cells with rate_iops, and plan {plan.name} has none", hint)
    return [{**cell, "limit": limit} if cell["rate_iops"] else cell for cell in cells]


def _run(request: StudyRequest, options: dict[str, Any]) -> None:
    from radoscope.cli.progress import Progress
    from radoscope.workflow import assess, load_study, run_study

    progress = Progress(request, quiet=options["quiet"], to_stderr=options["as_json"])
    with stopping() as (stop, caught), progress:
        done = run_study(request, progress.on_event, stop)
    study = load_study(str(done.folder))
    summaries, findings = assess(study, request.plan.precision)
    if options["as_json"]:
        from radoscope.report.machine import study_json

        click.echo(json.dumps(study_json(study, summaries, findings), indent=1))
    else:
        from radoscope.cli.show import print_study

        print_study(study, summaries, findings)
    if options["output"]:
        from radoscope.cli.report import write_report

        write_report(study, summaries, findings, options["output"], quiet=options["as_json"])
    again = [f" --{name.replace('_', '-')}" for name in (*_PERMISSIONS, *_CONSENT) if options[name]]
    go_on = f"radoscope study --resume {done.folder.name}{''.join(again)}"
    conclude([done.folder], done.left, done.problem, caught, as_json=options["as_json"], go_on=go_on)
