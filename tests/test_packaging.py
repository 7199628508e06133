"""The wheel works in an empty environment, away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASTED = """\
Total time run:         60.02
Total writes made:      12345
Write size:             4194304
Object size:            4194304
Bandwidth (MB/sec):     822.7
Average IOPS:           205
Average Latency(s):     0.0777
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    checked(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (made,) = folder.glob("radoscope-*.whl")
    return made


@pytest.fixture(scope="module")
def away(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder away from the checkout, with an environment `env` that holds the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("away")
    venv.create(folder / "env")
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "env/bin/python"), "--disable-pip-version-check")
    checked(*pip, "install", "--quiet", "--no-compile", "-c", str(ROOT / "constraints.txt"), str(wheel))
    return folder


def checked(*argv: str, folder: Path | None = None, text: str = "") -> str:
    """What the command prints. It sees neither the checkout nor the studies of this host."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder or Path.home())}
    done = subprocess.run(argv, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def radoscope(folder: Path, *words: str, text: str = "") -> str:
    return checked(str(folder / "env/bin/radoscope"), *words, folder=folder, text=text)


def python(folder: Path, script: str) -> str:
    return checked(str(folder / "env/bin/python"), "-c", script, folder=folder)


def test_every_tracked_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "src/radoscope"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not tracked:
        pytest.skip("not a git checkout: nothing says which files belong to the package")
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert {name.removeprefix("src/") for name in tracked} - packed == set()


def test_it_runs_from_the_environment_and_not_from_the_checkout(away: Path) -> None:
    where = python(away, "import radoscope; print(radoscope.__file__)")
    assert where.startswith(str(away))


def test_the_version_is_that_of_the_package(away: Path) -> None:
    from radoscope import __version__

    assert radoscope(away, "--version").strip() == f"radoscope, version {__version__}"


def test_help_plans_and_presets_are_there(away: Path) -> None:
    assert "study" in radoscope(away, "--help")
    assert "quick" in radoscope(away, "plan", "list")
    assert "proxmox-2018" in radoscope(away, "sandbox", "presets")


def test_a_pasted_text_is_read_judged_and_listed(away: Path) -> None:
    assert "rados-bench" in radoscope(away, "import", "-", text=PASTED)
    assert "standard input" in radoscope(away, "list")


def test_the_catalogue_and_the_model_are_there(away: Path) -> None:
    assert "PM863" in radoscope(away, "catalogue", "drives")
    (away / "cluster.toml").write_text('nodes = 3\ndrive = "Kioxia CD6"\n', encoding="utf-8")
    assert "bottleneck" in radoscope(away, "predict", "cluster.toml")


def test_the_python_api_works(away: Path) -> None:
    script = """
import radoscope
forecast = radoscope.forecast('nodes = 3\\ndrive = "Kioxia CD6"')
assert forecast.interval.low < forecast.iops < forecast.interval.high
print("forecast works")
"""
    assert python(away, script) == "forecast works\n"


def test_the_package_says_that_it_is_typed(wheel: Path) -> None:
    assert "radoscope/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_an_environment_left_half_made_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/ensure-python", tmp_path / "scripts")
    shutil.copy(ROOT / "constraints.txt", tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "nothing"\nversion = "1"\n[tool.setuptools]\npy-modules = []\n'
    )
    venv.create(tmp_path / ".venv", with_pip=False)
    checked(str(tmp_path / "scripts/ensure-python"))
    assert "nothing" in checked(str(tmp_path / ".venv/bin/python"), "-m", "pip", "list")
    assert checked(str(tmp_path / "scripts/ensure-python")) == ""
