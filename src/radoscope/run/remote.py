"""Load on other hosts: a command waits there for the word to begin, tells when it did, and ends with its connection.

Needed there: sh, coreutils and util-linux, which every Linux has, and the load tools. A connection that ends, for
whatever reason, ends the standard input of what runs over there, and that is what it is ended by.
"""

from __future__ import annotations

import math
from pathlib import Path

from radoscope.run.prepared import LoadCommand

READY = b"radoscope: ready"
STARTED = b"radoscope: started "
HOLD, GO_ON = b"hold\n", b"on\n"
"""Said to a load that has begun: it stands still, and goes on."""

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
  while read -r word <&3; do
    case $word in
      hold) kill -STOP -"$(cat "$name.pid")" ;;
      on) kill -CONT -"$(cat "$name.pid")" ;;
    esac
  done
  until [ -s "$name.pid" ]; do sleep 0.1; done
  group=$(cat "$name.pid")
  kill -INT -"$group"
  kill -CONT -"$group"
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
echo "radoscope: ended $code" >&2
exit $code
"""


def held(command: LoadCommand, folder: Path, label: str) -> tuple[str, ...]:
    """The command as it is run on another host: it waits for a word on standard input, and ends when that ends."""
    limit = str(math.ceil(command.timeout_s))
    return ("sh", "-c", _HELD, "radoscope", str(folder), command.name, label, limit, *command.argv)


def read_started(line: bytes) -> tuple[float, int] | None:
    """When a load began, by the clock of its host, and as which process group there, from the line with which it tells
    so; None for any other line."""
    words = line.removeprefix(STARTED).split()
    if not line.startswith(STARTED) or len(words) != 2:
        return None
    try:
        return float(words[0]), int(words[1])
    except ValueError:
        return None
