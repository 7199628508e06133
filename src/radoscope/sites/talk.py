"""Short exchanges with another host: a command with its standard input, files there and back, and the end of a run.

Needed there: sh, coreutils, util-linux, tar and grep, which every Linux has. Every answer ends with a mark of its own,
so that a command that failed and a connection that broke are told apart, whatever carries them.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from radoscope.errors import SiteError, ToolFailed
from radoscope.sites.site import Site
from radoscope.tools import missing

ENDED = b"radoscope: ended "
"""The last line on standard error of what came to its end over there, with its exit code."""

# What kubectl adds to the words of a command that failed.
_ADDED = "command terminated with exit code"
_ANSWER_S = 20.0
# sshd drops connections at random while ten others log in (MaxStartups); nothing has run by then.
_DOOR_SHUT = re.compile(rb"kex_exchange_identification|Not allowed at this time")
_PAUSES_S = (0.3, 1.0, 3.0)
_FETCH_S = 60.0

_TO_ITS_END = '"$@"; code=$?; echo "radoscope: ended $code" >&2; exit $code'
_BRING = """
umask 077
mkdir "$1" 2>/dev/null || { [ -O "$1" ] && [ ! -L "$1" ] && [ -d "$1" ] && chmod 700 "$1"; } || exit
tar -xmf - -C "$1"
"""
_FETCH = 'cd "$1" && rm -f -- *.pid && tar -cf - . && cd / && rm -rf -- "$1"'
# A process that was just forked does not carry the label yet, so they are looked for until there are none.
_REMOVE = """
left=50
while pids=$(grep -lzxF "RADOSCOPE_RUN=$2" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3); [ -n "$pids" ]; do
  kill -KILL $pids 2>/dev/null
  left=$((left - 1))
  [ $left -gt 0 ] || { echo "processes do not end: $pids" >&2; exit 1; }
  sleep 0.1
done
rm -rf -- "$1"
"""
# What those who carry commands say when they do not reach the other end -> what mends it.
_HINTS = (
    (r"host key verification failed|no .* host key is known", "Accept its host key once: ssh {host} true."),
    (r"permission denied|too many authentication failures", "`ssh {host} true` must work without a prompt: with a key"
     " or an agent."),
    (r"could not resolve|name or service not known", "Is the name right? `ssh {host} true` must work."),
    (r"connection refused|no route|timed out|timeout|unreachable|closed|reset|broken pipe",
     "Is the host up, and does sshd listen there? `ssh {host} true` must work."),
)  # fmt: skip


def tell(site: Site, script: str, *words: str, given: bytes = b"", timeout_s: float = _ANSWER_S) -> bytes:
    """Run a shell script there to its end; what it printed. given: its standard input.

    Raises SiteError when the host cannot be reached or does not answer, ToolFailed when the script fails.
    """
    argv = ("sh", "-c", script, "radoscope", *words)
    return run(site, argv, said=f"client host {site.name}", given=given, timeout_s=timeout_s)


def run(
    site: Site,
    argv: Sequence[str],
    *,
    said: str = "",
    given: bytes = b"",
    timeout_s: float = _ANSWER_S,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """The same for a command. said: how an error calls it, by default the command itself.

    environment: of the process here and of the command there; never secrets, which would show in argv.
    """
    named = environment or {}
    given_names = ("env", *(f"{name}={value}" for name, value in named.items())) if named else ()
    reached = site.wrap(("sh", "-c", _TO_ITS_END, "radoscope", *given_names, *argv))
    for pause_s in (*_PAUSES_S, None):
        done = _carried(reached, said or f"`{' '.join(argv)}` on {site.name}", given, timeout_s, named)
        if done.returncode == 0 or pause_s is None or not _DOOR_SHUT.search(done.stderr):
            break
        time.sleep(pause_s)
    if done.returncode != 0 and not came_to_its_end(done.stderr):
        raise unreached(site, done.stderr)
    if done.returncode != 0:
        last = last_words(done.stderr) or last_words(done.stdout) or f"exit code {done.returncode}"
        raise ToolFailed(f"{said}: {last}" if said else f"`{' '.join(argv)}` failed on {site.name}: {last}")
    return done.stdout


def _carried(
    reached: Sequence[str], words: str, given: bytes, timeout_s: float, named: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    try:
        # A session of its own: Ctrl-C reaches radoscope alone, which still has to bring and fetch things.
        return subprocess.run(
            reached,
            input=given,
            env={**os.environ, **named},
            capture_output=True,
            timeout=timeout_s,
            check=False,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise missing(reached[0]) from None
    except subprocess.TimeoutExpired:
        raise SiteError(f"{words} did not answer within {timeout_s:.0f} s") from None


def begin(argv: Sequence[str], environment: Mapping[str, str], stderr: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """What stands until its standard input ends, and tells on its standard output. Raises ToolFailed."""
    pipe = subprocess.PIPE
    try:
        # A session of its own, as above; what it is told has to be flushed.
        return subprocess.Popen(
            argv, env={**os.environ, **environment}, stdin=pipe, stdout=pipe, stderr=stderr, start_new_session=True
        )
    except FileNotFoundError:
        raise missing(argv[0]) from None


def end(process: subprocess.Popen[bytes], patience_s: float) -> None:
    """End it with its standard input; kill what does not heed that."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def came_to_its_end(stderr: bytes) -> bool:
    """Whether a command ended by itself over there, well or badly; else what carried it did."""
    return any(line.startswith(ENDED) for line in stderr.splitlines()[-3:])


def without_end(stderr: bytes) -> bytes:
    """What the command itself has printed."""
    return b"".join(line for line in stderr.splitlines(keepends=True) if not line.startswith(ENDED))


def unreached(site: Site, stderr: bytes, happened: str = "cannot be reached") -> SiteError:
    """The error for a host whose connection broke or was never there, with what mends it."""
    last = last_words(stderr)
    hint = next((hint for words, hint in _HINTS if re.search(words, last, re.IGNORECASE)), "")
    host = getattr(site, "destination", site.name)
    own_hint = getattr(site, "hint", "")  # of those that ssh does not reach
    return SiteError(
        f"client host {site.name} {happened}: {last or 'the connection closed without a message'}",
        own_hint or hint.format(host=host) or f"`ssh {host} true` must work without a prompt: with a key or an agent.",
    )


def last_words(raw: bytes) -> str:
    lines = [line.strip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
    return " / ".join([line for line in lines if not line.startswith((ENDED.decode(), _ADDED))][-2:])[:300]


def bring(site: Site, files: Mapping[str, str] | None = None) -> None:
    """The run's folder there, for its user alone, with these files in it, mode 600. Raises SiteError.

    What is there under the folder's name must be ours. The texts go over standard input, never in argv.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in (files or {}).items():
            member = tarfile.TarInfo(name)
            member.mode, member.size = 0o600, len(content := text.encode())
            archive.addfile(member, io.BytesIO(content))
    try:
        tell(site, _BRING, str(site.folder), given=packed.getvalue())
    except ToolFailed as error:
        raise SiteError(
            f"{error.message}: {site.folder} cannot be made for this user alone and written",
            "Is /tmp writable there, and not full? radoscope clean removes what an earlier run left.",
        ) from None


def fetch(site: Site, folder: Path, into: Path) -> None:
    """Move the plain files of a folder there into one here. Raises SiteError, ToolFailed."""
    packed = tell(site, _FETCH, str(folder), timeout_s=_FETCH_S)
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isreg() else None
                if content is not None:
                    # The name alone: nothing that another host says may lead out of the segment's folder.
                    (into / PurePosixPath(member.name).name).write_bytes(content.read())
    except tarfile.TarError as error:
        raise ToolFailed(f"client host {site.name}: what it sent is no archive: {error}") from None


def remove(site: Site, run_id: str) -> None:
    """End every process of a run there and remove its folder. Raises SiteError, ToolFailed."""
    tell(site, _REMOVE, str(site.folder), run_id, timeout_s=30.0)
