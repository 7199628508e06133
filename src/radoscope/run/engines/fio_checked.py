"""fio with checksums: writes that each block sees once, and the reading back of all of them.

How a lost write shows: the image was filled without checksums, and no block is written twice. A write that was
acknowledged and is not there leaves a block without fio's header; a damaged one has a header and another CRC.
`--verify_only` goes through the same random sequence again (same seed, as many I/Os) and reads instead of writing.
Source: "verify" in fio's HOWTO, 3.33.
"""

from __future__ import annotations

from pathlib import Path

from radoscope.records.conditions import Conditions
from radoscope.run.engines.fio import GRACE_S, on_image, rbd_program
from radoscope.run.prepared import LoadCommand, Prepared

LOAD, READ_BACK = "load", "read-back"
_SEED = 20180227
_SLOWEST_READS_PER_S = 50.0
_LONGEST_FILL_S = 600.0


def load(asked: Conditions, prepared: Prepared, folder: Path, *, rate_per_s: float, longest_s: float) -> LoadCommand:
    """Random writes with checksums, every completion in a log of its own line, until it is asked to end.

    It ends by itself after longest_s, or when every block of the image has been written.
    """
    argv = (
        *_sequence(asked, prepared),
        f"--iodepth={asked.queue_depth}",
        "--do_verify=0",
        f"--runtime={round(longest_s)}",
        f"--rate_iops={rate_per_s:.0f}",
        # One line an I/O of one kind of latency; all three kinds would be three times the log.
        "--disable_slat=1",
        "--disable_clat=1",
        "--lat_percentiles=1",
        f"--write_lat_log={folder / LOAD}",
        "--log_unix_epoch=1",
        f"--output={folder / LOAD}.json",
        "--output-format=json+",
        "--eta=always",
    )
    return LoadCommand(argv=argv, reader="fio_json", name=LOAD, output=f"{LOAD}.json", timeout_s=longest_s + GRACE_S)


def read_back(asked: Conditions, prepared: Prepared, folder: Path, written: int) -> LoadCommand:
    """Read the first `written` blocks of the same sequence, and count those that are not as they were written."""
    argv = (
        *_sequence(asked, prepared),
        "--iodepth=32",
        "--verify_only",
        f"--io_size={written * (asked.block_bytes or 1)}",
        "--verify_fatal=0",
        "--continue_on_error=verify",
        f"--output={folder / READ_BACK}.json",
        "--output-format=json",
        "--eta=always",
    )
    longest_s = written / _SLOWEST_READS_PER_S + GRACE_S
    return LoadCommand(argv=argv, reader="fio_json", name=READ_BACK, output=f"{READ_BACK}.json", timeout_s=longest_s)


def plain(argv: tuple[str, ...], name: str) -> LoadCommand:
    """A command without checksums, as filling an image is."""
    return LoadCommand(argv=argv, reader="", name=name, output=f"{name}.out", timeout_s=_LONGEST_FILL_S)


def _sequence(asked: Conditions, prepared: Prepared) -> tuple[str, ...]:
    """All that decides which blocks are written, in which order, and with what."""
    return (
        *(*rbd_program(prepared), "--name=checked", *on_image(prepared, prepared.images[0])),
        *(f"--rw={asked.op}", f"--bs={asked.block_bytes}", "--direct=1"),
        *("--verify=crc32c", "--verify_state_save=0", f"--randseed={_SEED}"),
    )
