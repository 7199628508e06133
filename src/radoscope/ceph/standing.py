"""A standing connection to a cluster through a site: what librados does here, a helper of a few lines does over there.

Wherever there is a `ceph` command there is Python with its rados module, because `ceph` is written in it. The helper
comes as an argument, is no file over there, and ends with its standard input, and so with whatever carries it.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from radoscope.ceph.connection import decoded, time_limits
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.sites import Site
from radoscope.sites.talk import begin, end, last_words, unreached

_MARK = b"radoscope-answer "
_HELPER = r"""
import json, os, sys, threading
lock = threading.Lock()
def say(**answer):
    with lock:
        sys.stdout.write("radoscope-answer " + json.dumps(answer) + "\n")
        sys.stdout.flush()
def serve(asked):
    try:
        words = json.dumps(asked["words"])
        kind, _, name = asked["to"].partition(".")
        if kind == "osd":
            code, body, status = cluster.osd_command(int(name), words, b"")
        elif kind == "mon":
            code, body, status = cluster.mon_command(words, b"", target=name)
        else:
            code, body, status = cluster.mon_command(words, b"")
        if isinstance(status, bytes):
            status = status.decode("utf-8", "replace")
        say(id=asked["id"], code=code, body=body.decode("utf-8", "replace"), status=status or "")
    except Exception as error:
        say(id=asked["id"], code=-5, body="", status=str(error))
user, options = sys.argv[1], json.loads(sys.argv[2])
conf = options.pop("conf")
try:
    import rados
    cluster = rados.Rados(name=user, conffile=conf, conf=options)
    cluster.connect()
except Exception as error:
    say(fatal=str(error), kind=type(error).__name__)
    sys.exit(0)
say(id=0)
for line in sys.stdin:
    threading.Thread(target=serve, args=(json.loads(line),), daemon=True).start()
os._exit(0)
"""
# The Python of `ceph` itself, by its first line: another one, first in PATH, need not know rados.
_WITH_ITS_PYTHON = 'ceph=$(command -v ceph) || exit 127; read -r first <"$ceph"; exec ${first#??} -c "$@"'
# ssh gives up connecting after 10 s, and starting Python over there takes a moment.
_BEGIN_S = 20.0
# The helper's own limits come first; this much later it is taken for lost.
_SPARE_S = 5.0
_AGAIN_S = 2.0


class StandingThere:
    """The same questions as of a `Connection`. Use as a context manager; every call ends within its timeout.

    A helper that ended, with its host or its connection, is started again by the next question.
    """

    def __init__(
        self,
        site: Site,
        *,
        conf: Path,
        user: str,
        keyring: Path | None,
        timeout_s: float,
        environment: Sequence[tuple[str, str]] = (),
    ) -> None:
        options = {"conf": str(conf), "log_to_stderr": "false", "log_file": "", **time_limits(timeout_s, timeout_s)}
        if keyring is not None:
            options["keyring"] = str(keyring)
        helper = ("sh", "-c", _WITH_ITS_PYTHON, "radoscope", _HELPER, user, json.dumps(options))
        labelled = ("env", *(f"{name}={value}" for name, value in environment), *helper) if environment else helper
        self._site, self._argv, self._conf = site, site.wrap(labelled), conf
        self._environment, self._timeout_s = dict(environment), timeout_s
        self._starting = threading.Lock()
        self._answered = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: dict[int, dict[str, Any]] = {}
        self._number, self._tried_at = 0, float("-inf")
        self._said = b""
        self._errors: threading.Thread | None = None

    def __enter__(self) -> StandingThere:
        """Connect. Raises SiteError when the host or the monitors do not answer in time, or the key is refused."""
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        end(process, _SPARE_S)

    def ask(self, prefix: str, /, **arguments: Any) -> Any:
        """The answer of a monitor command, as JSON values; {} when it is empty. Raises SiteError."""
        return decoded(prefix, self.tell(prefix, **arguments))

    def tell(self, prefix: str, /, to: str = "", **arguments: Any) -> bytes:
        """Send a monitor command, e.g. tell("osd pool delete", pool=...); the raw answer. Raises SiteError.

        to: the one daemon that it is for, "mon.a" or "osd.3".
        """
        whom = f"ceph tell {to} {prefix}" if to else f"ceph {prefix}"
        return self._exchange(to, {"prefix": prefix, "format": "json", **arguments}, whom)

    def ask_osd(self, osd: int, prefix: str, /, **arguments: Any) -> Any:
        """The answer of one OSD to a command, as JSON values. Raises SiteError."""
        return decoded(prefix, self.tell(prefix, to=f"osd.{osd}", **arguments))

    def _exchange(self, to: str, words: dict[str, Any], command: str) -> bytes:
        process = self._begin()
        with self._answered:
            self._number += 1
            number = self._number
            line = json.dumps({"id": number, "to": to, "words": words}).encode() + b"\n"
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.write(line)
                process.stdin.flush()
        answer = self._await(process, number, self._timeout_s + _SPARE_S, command)
        if answer["code"] < 0:
            raise SiteError(f"{command}: {answer['status'] or os.strerror(-answer['code'])}")
        return str(answer["body"]).encode()

    def _begin(self) -> subprocess.Popen[bytes]:
        """The helper that runs, or a new one. Raises SiteError, ToolFailed."""
        with self._starting:
            if self._process is not None and self._process.poll() is None:
                return self._process
            wait_s = self._tried_at + _AGAIN_S - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            self._tried_at = time.monotonic()
            process = self._start()
            try:
                first = self._await(process, 0, self._timeout_s + _BEGIN_S, "connecting")
            except SiteError:
                process.kill()
                process.wait()
                raise
            if "fatal" in first:
                process.wait()
                raise self._refused(first)
            self._process = process
            return process

    def _start(self) -> subprocess.Popen[bytes]:
        self._said = b""
        with self._answered:
            self._answers.pop(0, None)
        process = begin(self._argv, self._environment, subprocess.PIPE)
        threading.Thread(target=self._hear, args=(process,), name="standing", daemon=True).start()
        self._errors = threading.Thread(target=self._hear_stderr, args=(process,), name="standing-err", daemon=True)
        self._errors.start()
        return process

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                # What a login shell prints goes by, and what is cut off where the connection broke.
                with suppress(ValueError):
                    if line.startswith(_MARK):
                        answer = json.loads(line[len(_MARK) :])
                        with self._answered:
                            self._answers[answer.get("id", 0)] = answer
                            self._answered.notify_all()
        process.wait()
        with self._answered:
            self._answered.notify_all()

    def _hear_stderr(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        with process.stderr:
            while piece := os.read(process.stderr.fileno(), 65536):
                self._said = (self._said + piece)[-4000:]

    def _await(self, process: subprocess.Popen[bytes], number: int, within_s: float, what: str) -> dict[str, Any]:
        deadline = time.monotonic() + within_s
        with self._answered:
            while number not in self._answers:
                if process.poll() is not None:
                    self._answered.wait(0.2)  # its last words may still be on the way
                    if number in self._answers:
                        break
                    raise self._ended(process)
                left = deadline - time.monotonic()
                if left <= 0:
                    raise SiteError(f"{what} on {self._site.name}: no answer within {within_s:.0f} s")
                self._answered.wait(min(left, 0.5))
            return self._answers.pop(number)

    def _ended(self, process: subprocess.Popen[bytes]) -> RadoscopeError:
        if process.returncode == 127:
            return ToolFailed(f"{self._site.name} has no ceph command", "There: apt-get install ceph-common")
        return unreached(self._site, self._last_said())

    def _last_said(self) -> bytes:
        """What it printed, to the end: that may be heard later than the end itself."""
        if self._errors is not None:
            self._errors.join(_SPARE_S)
        return self._said

    def _refused(self, first: dict[str, Any]) -> RadoscopeError:
        if first["kind"] in ("ImportError", "ModuleNotFoundError"):
            return ToolFailed(f"{self._site.name} lacks Python's rados module", "There: apt-get install ceph-common")
        also = last_words(self._last_said())
        return SiteError(f"no connection to the monitors of {self._conf} on {self._site.name}: {first['fatal']} {also}")
