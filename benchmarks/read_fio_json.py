"""The CPU it takes to read 1,248 JSON files of fio: 12 curves of 13 depths on 8 volumes, laid out as a CBT archive.

    python benchmarks/read_fio_json.py [--cbt CHECKOUT --python INTERPRETER]

Prints user and system seconds after start, the least of several runs, for Python's json alone (the floor), for
radoscope's reader, for radoscope's folder reader, and for CBT's formatter (`post_processing/formatter`, ceph/cbt) where
a checkout of it is given.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from radoscope.archives.folders import read_folder
from radoscope.formats.fio import json_report as fio_json

CAPTURE = Path(__file__).parents[1] / "tests" / "captures" / "fio" / "3.33" / "randread" / "output.json"
CURVES, DEPTHS, VOLUMES = 12, 13, 8
BYTES_PER_FILE = 9_600
GOAL_S = 0.3

FORMATTER = """
import sys, time
sys.path.insert(0, sys.argv[1])
import logging
logging.disable(logging.CRITICAL)
from post_processing.formatter.common_output_formatter import CommonOutputFormatter
started = time.process_time()
formatter = CommonOutputFormatter(sys.argv[2])
formatter.convert_all_files()
print(time.process_time() - started)
"""


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as name:
        archive = Path(name)
        files = make_archive(archive)
        size = sum(file.stat().st_size for file in files)
        print(f"{len(files)} files, {size / 1e6:.1f} MB")
        floor = least_cpu(arguments.runs, lambda: [json.loads(file.read_text()) for file in files])
        ours = least_cpu(arguments.runs, lambda: [fio_json.read(file.read_text()) for file in files])
        folder = least_cpu(arguments.runs, lambda: read_folder(archive))
        print(f"json.loads alone      {floor:6.3f} s")
        print(f"radoscope fio_json    {ours:6.3f} s   {ours / floor:4.1f} x json, goal {GOAL_S} s")
        print(f"radoscope read_folder {folder:6.3f} s   {folder / floor:4.1f} x json")
        if arguments.cbt:
            peer = min(formatter_cpu(arguments, archive) for _ in range(arguments.runs))
            print(f"CBT's formatter       {peer:6.3f} s   {peer / floor:4.1f} x json, {peer / ours:.1f} x radoscope")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def make_archive(archive: Path) -> list[Path]:
    """One capture cloned into CBT's layout, with the depth of each curve in its options, padded to CBT's size."""
    document = json.loads(CAPTURE.read_text())
    files = []
    for curve in range(CURVES):
        for depth in (2**power for power in range(DEPTHS)):
            folder = archive / "results" / "00000000" / f"id-{curve:04x}{depth:04x}"
            folder.mkdir(parents=True)
            options = document["jobs"][0].pop("job options")
            document["global options"] = {
                **options,
                "rw": "randread",
                "bs": f"{4096 << curve}B",
                "iodepth": str(depth),
                "numjobs": "1",
                "write_iops_log": f"/tmp/cbt/00000000/LibrbdFio/randread_{4096 << curve}/iodepth-{depth:03d}/output.0",
            }
            document["jobs"][0]["job options"] = options
            text = json.dumps(document, indent=2)
            text += " " * max(0, BYTES_PER_FILE - len(text))
            for volume in range(VOLUMES):
                file = folder / f"json_output.{volume}"
                file.write_text(text)
                files.append(file)
    return files


def least_cpu(runs: int, work: Callable[[], object]) -> float:
    taken = []
    for _ in range(runs):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def formatter_cpu(arguments: argparse.Namespace, archive: Path) -> float:
    done = subprocess.run(
        [arguments.python, "-c", FORMATTER, arguments.cbt, str(archive)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    return float(re.findall(r"[\d.]+", done.stdout)[-1])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cbt", help="a checkout of ceph/cbt")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that can import CBT")
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
