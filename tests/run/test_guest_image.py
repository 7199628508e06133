"""What a guest boots: its kernel is found, and its file system is a whole one."""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from radoscope.errors import ToolFailed
from radoscope.plan import cells_of, load_text
from radoscope.run import guest_image, preflight
from radoscope.run.guest_image import KERNEL_VARIABLE, LacksPart, find_kernel, pack


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two kernels; of the newer one two drivers are modules, one of which needs a third."""
    monkeypatch.setenv(KERNEL_VARIABLE, str(tmp_path))
    (tmp_path / "boot").mkdir()
    for version in ("6.1.0-9", "6.1.0-10"):
        (tmp_path / f"boot/vmlinuz-{version}").write_bytes(b"kernel")
        (tmp_path / f"lib/modules/{version}/kernel").mkdir(parents=True)
    modules = tmp_path / "lib/modules/6.1.0-10/kernel"
    (modules / "virtio_scsi.ko.xz").write_bytes(lzma.compress(b"\x7fELF\0depends=scsi_mod\0"))
    (modules / "virtio-blk.ko").write_bytes(b"\x7fELF\0depends=\0")
    (modules / "scsi_mod.ko").write_bytes(b"\x7fELF\0depends=\0")
    return tmp_path


def test_the_newest_kernel_that_has_modules_is_taken(tree: Path) -> None:
    assert find_kernel().version == "6.1.0-10"
    shutil.rmtree(tree / "lib/modules/6.1.0-10")
    assert find_kernel().version == "6.1.0-9"


def test_without_a_kernel_it_is_said_what_would_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KERNEL_VARIABLE, str(tmp_path))
    with pytest.raises(LacksPart, match="a guest needs a kernel with its modules") as told:
        find_kernel()
    assert KERNEL_VARIABLE in told.value.args[1]
    monkeypatch.setattr(preflight, "require_tools", lambda tools: None)
    [cell] = cells_of(load_text('name="x"\n[[cells]]\nlayer="guest"\nop="randread"\nblock="4K"\n', "x"))
    with pytest.raises(ToolFailed, match="a guest needs a kernel"):  # before a cluster is started for it
        preflight.check_tools([cell], with_cluster=False)


@pytest.mark.skipif(not (shutil.which("busybox") and shutil.which("fio")), reason="busybox or fio is not installed")
def test_its_file_system_has_fio_and_the_drivers_in_the_order_in_which_they_load(tree: Path, tmp_path: Path) -> None:
    archive, out = tmp_path / "initrd", tmp_path / "out"
    pack(find_kernel(), archive)
    out.mkdir()
    with archive.open("rb") as packed:
        subprocess.run(("busybox", "cpio", "-i"), cwd=out, stdin=packed, check=True, capture_output=True)
    modules = sorted(path.name for path in (out / "lib/modules").iterdir())
    assert modules == ["00-virtio_blk.ko", "01-scsi_mod.ko", "02-virtio_scsi.ko"]
    assert os.access(out / "init", os.X_OK) and (out / "proc").is_dir()
    assert (out / "bin/fio").read_bytes() == Path(shutil.which("fio") or "").read_bytes()
    subprocess.run(("busybox", "sh", "-n", str(out / "init")), check=True)


@pytest.mark.skipif(not (shutil.which("busybox") and shutil.which("fio")), reason="busybox or fio is not installed")
def test_it_is_made_by_python_s_own_modules_on_a_host_without_radoscope(tree: Path, tmp_path: Path) -> None:
    archive = tmp_path / "initrd"
    source = Path(guest_image.__file__).read_text()
    made = ("/usr/bin/python3", "-I", "-c", source, str(archive))
    done = subprocess.run(made, check=True, capture_output=True, text=True)
    assert done.stdout == f"6.1.0-10 {tree}/boot/vmlinuz-6.1.0-10\n"
    assert archive.stat().st_size > Path(shutil.which("fio") or "").stat().st_size
    shutil.rmtree(tree / "boot")
    failed = subprocess.run(made, check=False, capture_output=True, text=True)
    assert failed.returncode != 0
    assert failed.stderr.startswith("a guest needs a kernel") and "Traceback" not in failed.stderr
