"""Other hosts: copying files there, running processes there, fetching results, and cleaning up.

Needed there: sh, coreutils, util-linux, tar and grep, which every Linux has, and the load tools. A connection that
ends, for whatever reason, ends the standard input of what runs over there, and that is what it is ended by.
"""

from __future__ import annotations

import io
import math
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from radoscope.errors import SiteError, ToolFailed
from radoscope.run.command import LoadCommand
from radoscope.run.sites.site import Site
from radoscope.tools import missing

READY = b"radoscope: ready"
STARTED = b"radoscope: started "
LOST = 255
"""The exit code of ssh itself: the host was not reached, or the connection broke."""

_ANSWER_S = 20.0
_FETCH_S = 60.0

# A load command waits for the word to begin, says when it began (by its host's clock) and as which process group, and
# is ended when standard input ends: in order first, so that it writes its result. `timeout` ends it also where a
# connection was cut so that neither end heard of it. It stands outside of the group: within, it would pass on the
# SIGINT that the tool has had already, and a tool may be writing its result when the second one comes.
_HELD = """
folder=$1 name=$2 label=$3 limit=$4
shift 4
umask 077
mkdir -p "$folder" && cd "$folder" || exit 126
echo 'radoscope: ready'
read -r word || exit 125
exec 3<&0
{
  while read -r word <&3; do :; done
  until [ -s "$name.pid" ]; do sleep 0.1; done
  group=$(cat "$name.pid")
  kill -INT -"$group"
  left=25
  while kill -0 -"$group" && [ $left -gt 0 ]; do left=$((left - 1)); sleep 0.2; done
  kill -KILL -"$group"
} >/dev/null 2>&1 &
watchdog=$!
RADOSCOPE_RUN=$label timeout --foreground -s INT -k 5 "$limit" setsid sh -c '
  echo $$ >"$0.pid"
  echo "radoscope: started $(date +%s.%N) $$"
  exec "$@"' "$name" "$@" </dev/null 3<&-
code=$?
kill $watchdog 2>/dev/null
[ -s "$name.pid" ] && kill -KILL -"$(cat "$name.pid")" 2>/dev/null
exit $code
"""

_MAKE_FOLDER = 'umask 077; mkdir "$1" 2>/dev/null || { [ -O "$1" ] && [ ! -L "$1" ] && [ -d "$1" ] && chmod 700 "$1"; }'
_PUT = 'umask 077; cat >"$1"'
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


@dataclass(frozen=True, slots=True)
class Begun:
    """When a load began, by the clock of its host, and as which process group there."""

    clock_s: float
    group: int


def tell(site: Site, script: str, *words: str, given: bytes = b"", timeout_s: float = _ANSWER_S) -> bytes:
    """Run a shell script there to its end; what it printed. given: its standard input.

    Raises SiteError when the host cannot be reached or does not answer, ToolFailed when the script fails.
    """
    argv = site.wrap(("sh", "-c", script, "radoscope", *words))
    try:
        # A session of its own: Ctrl-C reaches radoscope alone, which still has to bring and fetch things.
        done = subprocess.run(
            argv, input=given, capture_output=True, timeout=timeout_s, check=False, start_new_session=True
        )
    except FileNotFoundError:
        raise missing(argv[0]) from None
    except subprocess.TimeoutExpired:
        raise SiteError(f"client host {site.name} did not answer within {timeout_s:.0f} s") from None
    last = last_words(done.stderr)
    if done.returncode == LOST:
        raise SiteError(
            f"client host {site.name} cannot be reached: {last or 'ssh printed nothing'}",
            "`ssh HOST true` must work without a prompt: with a key or an agent, and with a known host key.",
        )
    if done.returncode != 0:
        raise ToolFailed(f"client host {site.name}: {last or f'exit code {done.returncode}'}")
    return done.stdout


def last_words(raw: bytes) -> str:
    lines = [line.strip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
    return " / ".join(lines[-2:])[:300]


def make_folder(site: Site) -> None:
    """The run's folder there, for its user alone; what is there under that name must be ours. Raises SiteError."""
    try:
        tell(site, _MAKE_FOLDER, str(site.folder))
    except ToolFailed:
        raise SiteError(
            f"client host {site.name}: the folder {site.folder} cannot be made for this user alone",
            "Is /tmp writable there? radoscope clean removes what an earlier run left.",
        ) from None


def put(site: Site, name: str, text: str) -> Path:
    """Write a file in the run's folder there, mode 600; its path. The text goes over standard input, never in argv."""
    assert site.folder is not None
    tell(site, _PUT, str(site.folder / name), given=text.encode())
    return site.folder / name


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


def held(command: LoadCommand, folder: Path, label: str) -> tuple[str, ...]:
    """The command as it is run on another host: it waits for a word on standard input, and ends when that ends."""
    limit = str(math.ceil(command.timeout_s))
    return ("sh", "-c", _HELD, "radoscope", str(folder), command.name, label, limit, *command.argv)


def read_started(line: bytes) -> Begun | None:
    """The line with which a held command tells that it has begun; None for any other line."""
    words = line.removeprefix(STARTED).split()
    if not line.startswith(STARTED) or len(words) != 2:
        return None
    try:
        return Begun(float(words[0]), int(words[1]))
    except ValueError:
        return None
