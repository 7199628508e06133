"""Runs a command whose fsync and fdatasync take as long as a parameter file says, without a compiler and without root.

    python flush_delay.py PARAMETERS COMMAND...

The command keeps this process's number. A child answers its flushes: the kernel hands each fsync to it (seccomp user
notification, Linux 5.9 or later), it waits, and says that the flush is done; the real disk is not asked, as in
disk_model.c. Stands alone, on the standard library, so that it starts fast. Source: seccomp_unotify(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import select
import socket
import struct
import sys
import time
from typing import NoReturn

# Machine -> (AUDIT_ARCH, seccomp, fsync, fdatasync): linux/audit.h and the kernel's system call tables.
_MACHINES = {"x86_64": (0xC000003E, 317, 74, 75), "aarch64": (0xC00000B7, 277, 82, 83)}
_SET_MODE_FILTER, _NEW_LISTENER = 1, 8
_PR_SET_NO_NEW_PRIVS, _PR_SET_TIMERSLACK = 38, 29
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_RECEIVE, _SEND, _CONTINUE = 0xC0502100, 0xC0182101, 1
_NOTIFICATION_BYTES = 80
_ENDED = (errno.ENOENT, errno.EINTR)

_libc = ctypes.CDLL(None, use_errno=True)


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(_Instruction)))


def main() -> NoReturn:
    """Become the command; what answers its flushes is a child that ends with it."""
    if sys.argv[1] == "--answer":
        answer(int(sys.argv[2]), sys.argv[3])
        sys.exit(0)
    parameters, command = sys.argv[1], sys.argv[2:]
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        _become_answerer(theirs, parameters)
    theirs.close()
    listener = _install_filter()
    socket.send_fds(ours, [b"x"], [listener])
    os.close(listener)
    ours.close()
    os.execvp(command[0], command)


def answer(listener: int, parameters: str) -> None:
    """Answer flushes, one at a time as on a disk, until the last process that was watched has ended."""
    _libc.prctl(_PR_SET_TIMERSLACK, 1000, 0, 0, 0)
    file = os.open(parameters, os.O_RDONLY)
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while not poll.poll()[0][1] & select.POLLHUP:
        _answer_one(listener, struct.unpack("Q", os.pread(file, 8, 0))[0])


def _answer_one(listener: int, flush_ns: int) -> None:
    notification = ctypes.create_string_buffer(_NOTIFICATION_BYTES)
    if _libc.ioctl(listener, ctypes.c_ulong(_RECEIVE), notification) < 0:
        if ctypes.get_errno() in _ENDED:
            return
        raise OSError(ctypes.get_errno(), "a flush could not be received")
    identity = struct.unpack_from("Q", notification.raw)[0]
    time.sleep(flush_ns / 1e9)
    # identity, result, error, flags: success, or, without a delay, the real system call.
    reply = struct.pack("QqiI", identity, 0, 0, 0 if flush_ns else _CONTINUE)
    _libc.ioctl(listener, ctypes.c_ulong(_SEND), reply)


def _become_answerer(channel: socket.socket, parameters: str) -> NoReturn:
    _, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not descriptors:
        sys.exit(1)
    os.set_inheritable(descriptors[0], True)
    # An environment of its own, so that it is not taken for the daemon.
    environment = {**os.environ, "RADOSCOPE_DAEMON": f"flush.{os.environ.get('RADOSCOPE_DAEMON', '')}"}
    argv = (sys.executable, __file__, "--answer", str(descriptors[0]), parameters)
    os.execve(sys.executable, argv, environment)


def _install_filter() -> int:
    """Hand fsync and fdatasync of this process and its heirs to a listener; its descriptor. Raises OSError."""
    audit, seccomp, fsync, fdatasync = _MACHINES[platform.machine()]
    steps = (
        _Instruction(_LOAD, 0, 0, 4),
        _Instruction(_JUMP_EQUAL, 0, 4, audit),
        _Instruction(_LOAD, 0, 0, 0),
        _Instruction(_JUMP_EQUAL, 1, 0, fsync),
        _Instruction(_JUMP_EQUAL, 0, 1, fdatasync),
        _Instruction(_RETURN, 0, 0, _NOTIFY),
        _Instruction(_RETURN, 0, 0, _ALLOW),
    )
    instructions = (_Instruction * len(steps))(*steps)
    program = _Program(len(instructions), instructions)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    descriptor: int = _libc.syscall(seccomp, _SET_MODE_FILTER, _NEW_LISTENER, ctypes.byref(program))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "this kernel or container does not allow seccomp notification")
    return descriptor


if __name__ == "__main__":
    main()
