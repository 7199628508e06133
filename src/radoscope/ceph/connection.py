"""The few calls of librados.so.2 that a sandbox needs, over ctypes: works from any Python, without python3-rados.

Source of the signatures: rados/librados.h of Ceph 16. The reason for not running the `ceph` command: it costs 0.3 s of
CPU a question, and a sandbox asks every 50 ms while it starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from radoscope.errors import SiteError, ToolFailed

_CLONE_NEWNET = 0x40000000
_Text = ctypes.c_char_p
_Handle = ctypes.c_void_p


@cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("librados.so.2", use_errno=True)
    except OSError as error:
        raise ToolFailed("librados.so.2 is missing", "Install it: apt install librados2") from error
    buffer, length = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
    library.rados_create2.argtypes = [ctypes.POINTER(_Handle), _Text, _Text, ctypes.c_uint64]
    library.rados_conf_read_file.argtypes = [_Handle, _Text]
    library.rados_conf_set.argtypes = [_Handle, _Text, _Text]
    library.rados_connect.argtypes = [_Handle]
    library.rados_shutdown.argtypes = [_Handle]
    library.rados_shutdown.restype = None
    library.rados_buffer_free.argtypes = [ctypes.c_void_p]
    library.rados_buffer_free.restype = None
    out: list[Any] = [buffer, length, buffer, length]
    library.rados_mon_command.argtypes = [_Handle, ctypes.POINTER(_Text), ctypes.c_size_t, _Text, ctypes.c_size_t, *out]
    library.rados_osd_command.argtypes = [_Handle, ctypes.c_int, *library.rados_mon_command.argtypes[1:]]
    library.rados_mon_command_target.argtypes = [_Handle, _Text, *library.rados_mon_command.argtypes[1:]]
    return library


def is_available() -> bool:
    """Whether librados is on this host."""
    try:
        _library()
    except ToolFailed:
        return False
    return True


@contextlib.contextmanager
def inside(namespace: Path | None) -> Iterator[None]:
    """Within a network namespace, this thread alone; sockets and threads made here stay there. None: no change."""
    if namespace is None:
        yield
        return
    own = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _enter(namespace)
        try:
            yield
        finally:
            _set_namespace(own, "its own namespace")
    finally:
        os.close(own)


def _enter(namespace: Path) -> None:
    try:
        descriptor = os.open(namespace, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise SiteError(f"the network namespace {namespace.name} cannot be entered: {error.strerror}") from error
    try:
        _set_namespace(descriptor, namespace.name)
    finally:
        os.close(descriptor)


def _set_namespace(descriptor: int, name: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, _CLONE_NEWNET) != 0:
        raise SiteError(f"the network namespace {name} cannot be entered: {os.strerror(ctypes.get_errno())}")


class Connection:
    """A connection to the monitors. Use as a context manager; every call ends within its timeout.

    timeout_s: for connecting, and for each command unless command_timeout_s says otherwise.
    """

    def __init__(
        self,
        conf: Path,
        *,
        timeout_s: float = 5.0,
        command_timeout_s: float | None = None,
        namespace: Path | None = None,
        user: str = "client.admin",
        keyring: Path | None = None,
    ) -> None:
        self._conf, self._namespace = conf, namespace
        self._timeout_s, self._command_timeout_s = timeout_s, command_timeout_s or timeout_s
        self._user, self._keyring = user, keyring
        self._handle = _Handle()
        self._open = False

    def __enter__(self) -> Connection:
        """Connect. Raises SiteError when no monitor answers in time, or the key is refused."""
        with inside(self._namespace):
            self._create()
            code = _library().rados_connect(self._handle)
        if code != 0:
            self.close()
            raise SiteError(f"no connection to the monitors of {self._conf}: {_meaning(code)}")
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._open:
            self._open = False
            _library().rados_shutdown(self._handle)

    def _create(self) -> None:
        library = _library()
        _check(library.rados_create2(ctypes.byref(self._handle), b"ceph", self._user.encode(), 0), "rados_create2")
        self._open = True
        _check(library.rados_conf_read_file(self._handle, os.fsencode(self._conf)), f"reading {self._conf}")
        if self._keyring is not None:
            _check(library.rados_conf_set(self._handle, b"keyring", os.fsencode(self._keyring)), "keyring")
        for option, value in time_limits(self._timeout_s, self._command_timeout_s).items():
            _check(library.rados_conf_set(self._handle, option.encode(), value.encode()), option)

    def ask(self, prefix: str, /, **arguments: Any) -> Any:
        """The answer of a monitor command, as JSON values; {} when it is empty. Raises SiteError."""
        return decoded(prefix, self.tell(prefix, **arguments))

    def tell(self, prefix: str, /, stdin: bytes = b"", to: str = "", **arguments: Any) -> bytes:
        """Send a monitor command, e.g. tell("osd new", uuid=..., id=3); the raw answer. Raises SiteError.

        to: the one daemon that it is for, "mon.a" or "osd.3".
        """
        kind, _, name = to.partition(".")
        if kind == "osd":
            return self._told("rados_osd_command", (int(name),), f"tell {to} ", prefix, arguments)
        if kind == "mon":
            return self._told("rados_mon_command_target", (name.encode(),), f"tell {to} ", prefix, arguments)
        return self._told("rados_mon_command", (), "", prefix, arguments, stdin)

    def ask_osd(self, osd: int, prefix: str, /, **arguments: Any) -> Any:
        """The answer of one OSD to a command, as JSON values. Raises SiteError."""
        return decoded(prefix, self.tell(prefix, to=f"osd.{osd}", **arguments))

    def _told(
        self, call: str, to: tuple[Any, ...], whom: str, prefix: str, arguments: Mapping[str, Any], stdin: bytes = b""
    ) -> bytes:
        """The raw answer to a command that a call of librados carries. to, whom: who is asked, for it and in words."""
        words = json.dumps({"prefix": prefix, "format": "json", **arguments}).encode()
        answer, carry = _Answer(), getattr(_library(), call)
        with inside(self._namespace):
            code = carry(self._handle, *to, (_Text * 1)(words), 1, stdin, len(stdin), *answer.out)
        return answer.taken(code, f"ceph {whom}{prefix}")


class _Answer:
    """Two buffers that librados fills, the answer and a status text, and that must be given back to it."""

    def __init__(self) -> None:
        self._body, self._status = ctypes.c_void_p(), ctypes.c_void_p()
        self._body_length, self._status_length = ctypes.c_size_t(), ctypes.c_size_t()
        ref = ctypes.byref
        self.out = (ref(self._body), ref(self._body_length), ref(self._status), ref(self._status_length))

    def taken(self, code: int, command: str) -> bytes:
        body = self._take(self._body, self._body_length)
        status = self._take(self._status, self._status_length).decode(errors="replace").strip()
        if code < 0:
            raise SiteError(f"{command}: {status or _meaning(code)}")
        return body

    @staticmethod
    def _take(buffer: ctypes.c_void_p, length: ctypes.c_size_t) -> bytes:
        if not buffer.value:
            return b""
        content = ctypes.string_at(buffer.value, length.value)
        _library().rados_buffer_free(buffer)
        return content


def time_limits(connect_s: float, command_s: float) -> dict[str, str]:
    """Options of librados, so that each call ends in good time.

    Whole seconds: these options are integers in Ceph. A monitor that was cut off does not say so: after 3 s without a
    sign of life (30 s by default) the hunt for the next one begins, half a second for each.
    """
    connecting, command = (str(max(1, round(seconds))) for seconds in (connect_s, command_s))
    limits = {"client_mount_timeout": connecting, "rados_mon_op_timeout": command, "rados_osd_op_timeout": command}
    return limits | {"mon_client_ping_interval": "1", "mon_client_ping_timeout": "3", "mon_client_hunt_interval": "0.5"}


def decoded(prefix: str, answer: bytes) -> Any:
    """The JSON values of an answer; {} of an empty one. Raises SiteError."""
    if not answer.strip():
        return {}
    try:
        return json.loads(answer)
    except ValueError as error:
        raise SiteError(f"ceph {prefix}: the answer is not JSON") from error


def _check(code: int, what: str) -> None:
    if code != 0:
        raise SiteError(f"{what}: {_meaning(code)}")


def _meaning(code: int) -> str:
    if -code == errno.ETIMEDOUT:
        return "no answer in time"
    return os.strerror(-code)
