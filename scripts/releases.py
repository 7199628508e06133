"""The project in fresh Debian roots, each with its release of Ceph, fio and Python: demo, chosen tests, one table.

    python3 scripts/releases.py [--within MINUTES] [--only STEP] [bookworm trixie testing]

All steps in all three roots when none is named.

As root, with debootstrap installed; the standard library alone. A root takes a minute to build and is kept in
RADOSCOPE_ROOTS (~/.cache/radoscope/roots), with a log of each step beside it. The mirror is the one that apt of this
machine uses; RADOSCOPE_MIRROR names another. Everything in a root runs in namespaces of mounts and processes of its
own: whatever ends this script, Ctrl-C and kill -9 included, ends that too, and leaves no mount behind.

Exit code: 0 all is well, or time was up before anything failed; 1 something failed in a root; 2 no root could be made.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SUITES = ("bookworm", "trixie", "testing")
UNFINISHED = 124
PACKAGES = "ca-certificates,make,sudo,procps,iproute2,python3,python3-venv"
ROLLING = 'Acquire::Check-Valid-Until "false";\n'
"""A mirror's index of testing may be older than the index itself allows."""
PASSED_ON = (
    *("PIP_INDEX", "PIP_EXTRA_INDEX", "PIP_CERT", "PIP_DEFAULT_TIMEOUT", "SSL_CERT", "REQUESTS_CA_BUNDLE"),
    *("CURL_CA_BUNDLE", "http_proxy", "https_proxy", "no_proxy"),
)
"""Beginnings of variables without which this machine might not reach its package registries."""
COPIED = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
VERSIONS = "ceph --version | cut -d' ' -f3; fio --version | cut -d- -f2; python3 -V | cut -d' ' -f2"
# A demo that leaves a daemon or an open journal behind has failed.
DEMO = (
    "rm -rf demo; make --no-print-directory demo && ls demo/report/*.html && test -z \"$(pgrep 'ceph-(mon|mgr|osd)'"
    '; find demo/home/journal demo/home/sandboxes -mindepth 1 ! -name .lock)"'
)
# One package is taken away first, for that user's sudo to bring it back.
AS_PLAIN_USER = (
    "id visitor >/dev/null 2>&1 || useradd --create-home visitor"
    "; echo 'visitor ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/visitor; dpkg --remove iperf3"
    "; mkdir -p /home/visitor/radoscope; find /home/visitor/radoscope -mindepth 1 -maxdepth 1 ! -name .venv"
    " -exec rm -rf {} +; tar -c --exclude=./.venv --exclude=./demo . | tar -x -C /home/visitor/radoscope"
    "; chown -R visitor: /home/visitor; runuser -u visitor -- env HOME=/home/visitor sh -c"
)
STEPS = {
    "setup": "make --no-print-directory setup && scripts/ensure-python dev,simulate,export",
    "demo": DEMO,
    "plain user": f"{AS_PLAIN_USER} {shlex.quote(f'cd ~/radoscope && {DEMO}')}",
    "fast tests": "scripts/ensure-packages gcc libc6-dev e2fsprogs"
    ' && .venv/bin/python -m pytest -q -n 2 -m "not ceph and not slow"',
    "tests on Ceph": "scripts/ensure-packages qemu-system-common qemu-utils qemu-block-extra"
    " && .venv/bin/python -m pytest -q -n 3 -m release",
}
"""Name -> what the shell runs in the checkout."""


class Failure(Exception):
    """No root can be made; why."""


@dataclass
class Row:
    """What came of one root. steps: name -> what came of it. failed: whether one of them found a fault."""

    suite: str
    versions: list[str] = field(default_factory=list)
    steps: dict[str, str] = field(default_factory=dict)
    failed: bool = False


def mirror() -> str:
    """Where apt of this machine finds the packages of its own suite."""
    named = os.environ.get("RADOSCOPE_MIRROR")
    if named:
        return named
    own = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for text in (path.read_text() for path in files if path.suffix in (".list", ".sources") and path.is_file()):
        for uri, suites in _sources(text):
            if own and own[1] in suites:
                return uri
    raise Failure("no mirror in apt's sources of this machine; name one with RADOSCOPE_MIRROR")


def _sources(text: str) -> list[tuple[str, list[str]]]:
    """(URI, suites) of each entry, in the style of one line an entry and in that of stanzas."""
    found = [(m[1], [m[2]]) for m in re.finditer(r"^deb\s+(?:\[[^]]*\]\s+)?(\S+)\s+(\S+)", text, re.MULTILINE)]
    for stanza in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^(URIs|Suites):\s*(.*)$", stanza, re.MULTILINE))
        if len(fields) == 2:
            found += [(uri, fields["Suites"].split()) for uri in fields["URIs"].split()]
    return found


def build(root: Path, suite: str) -> None:
    """A minimal Debian. It gets its name when it is whole."""
    unfinished = root.with_name(f"{root.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    known = Path("/usr/share/debootstrap/scripts", suite).exists()
    keys = Path(f"/usr/share/keyrings/debian-archive-{suite}-stable.gpg")
    signed = ("--keyring=/usr/share/keyrings/debian-archive-keyring.gpg",) if keys.exists() else ("--no-check-gpg",)
    argv = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", *signed, suite, str(unfinished), mirror()]
    log = root.with_name(f"{root.name}.log")
    with log.open("w") as output:
        made = subprocess.run([*argv, *(() if known else ("sid",))], stdout=output, stderr=subprocess.STDOUT)
    if made.returncode:
        raise Failure(f"debootstrap {suite} failed; see {log}")
    (unfinished / "etc/apt/apt.conf.d/80radoscope").write_text(ROLLING)
    unfinished.rename(root)


def copy_checkout(root: Path) -> None:
    """What git knows or would add, in place of what an earlier run left; the Python environment stays."""
    for path in COPIED:
        if Path(path).is_file():
            shutil.copyfile(path, root / path[1:])
    target = root / "root/radoscope"
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        if old.name != ".venv":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=CHECKOUT, check=True,
        capture_output=True,
    ).stdout  # fmt: skip
    present = b"\0".join(name for name in names.split(b"\0") if name and (CHECKOUT / os.fsdecode(name)).exists())
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], input=present, cwd=CHECKOUT, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", str(target)], input=packed.stdout, check=True)


def enter(root: Path, command: str, log: Path | None, within_s: float) -> tuple[int, str]:
    """Run a command of the shell in the root's checkout: (exit code, standard output where there is no log).

    Its first process is a shell, which reaps what is orphaned; 124 means that it took too long.
    """
    passed_on = [f"{name}={value}" for name, value in os.environ.items() if name.startswith(PASSED_ON)]
    inside = ["env", "-i", "HOME=/root", "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *passed_on]
    # The root is mounted on itself, because `ip -n` changes how mounts propagate from "/", which must be a mount.
    mounts = (
        f'cd "{root}" && mount --bind . . && cd "{root}" && mount -t proc proc proc'
        " && mount --rbind /sys sys && mount --rbind /dev dev"
        ' && exec chroot . "$@"'
    )
    shell = ["bash", "-c", f"cd /root/radoscope && {{ {command}\n}}; exit $?"]
    namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
    argv = ["setpriv", "--pdeathsig", "KILL", *namespaces, "sh", "-c", mounts, "sh", *inside, *shell]
    output = log.open("w") if log else subprocess.PIPE
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, text=True, timeout=within_s
        )
    except subprocess.TimeoutExpired:
        return 124, ""
    return done.returncode, done.stdout or ""


def measure(root: Path, row: Row, steps: Sequence[str], ends_at: float) -> None:
    """These steps in one root, as far as the time goes."""
    copy_checkout(root)
    for name in steps:
        command = STEPS[name]
        log, begun = root.with_name(f"{root.name}.{name.replace(' ', '-')}.log"), time.monotonic()
        if begun >= ends_at:
            row.steps[name] = "no time left"
            return
        code, _ = enter(root, command, log, ends_at - begun)
        took = f"{time.monotonic() - begun:.0f} s"
        row.steps[name] = f"{_outcome(code, log)}, {took}"
        print(f"{row.suite}: {name}: {row.steps[name]}", flush=True)
        if code == 0 and not row.versions:
            row.versions = enter(root, VERSIONS, None, 60)[1].split()
        if code not in (0, UNFINISHED):
            row.failed = True
            print("\n".join(log.read_text(errors="replace").splitlines()[-40:]), flush=True)
        if code == UNFINISHED or (code and name == "setup"):
            return


def _outcome(code: int, log: Path) -> str:
    """As "ok", "ok: 31 passed, 2 skipped", "FAILED (exit code 3)", "unfinished"."""
    lines = log.read_text(errors="replace").splitlines()
    counts = re.match(r"=*\s*(\d+ (?:passed|failed).*?) in ", lines[-1]) if lines else None
    words = {0: "ok", UNFINISHED: "unfinished"}.get(code, f"FAILED (exit code {code})")
    return f"{words}: {counts[1]}" if counts else words


def table(rows: list[Row]) -> str:
    head = ["Debian", "Ceph", "fio", "Python", *STEPS]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        versions = row.versions if len(row.versions) == 3 else ["?"] * 3
        lines.append([row.suite, *versions, *(row.steps.get(step, "-") for step in STEPS)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}; all when none is named")
    parser.add_argument("--within", type=float, default=120.0, metavar="MINUTES", help="end by then (default: 120)")
    parser.add_argument(
        "--only", action="append", choices=STEPS, metavar="STEP", help=f"of {', '.join(STEPS)}; repeatable"
    )
    wanted = parser.parse_args()
    folder = Path(os.environ.get("RADOSCOPE_ROOTS") or Path.home() / ".cache/radoscope/roots")
    ends_at = time.monotonic() + 60 * wanted.within
    rows = []
    for suite in wanted.suites or SUITES:
        rows.append(Row(suite))
        try:
            if not (folder / suite).is_dir():
                build(folder / suite, suite)
            measure(folder / suite, rows[-1], wanted.only or tuple(STEPS), ends_at)
        except (Failure, OSError) as error:
            rows[-1].steps["setup"] = f"no root: {error}"
    print("\n" + table(rows))
    if any(row.failed for row in rows):
        return 1
    return 2 if all("setup" in row.steps and row.steps["setup"].startswith("no root") for row in rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
