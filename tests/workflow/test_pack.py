"""A study as one file: whole or not there, the same each time, and on request without names."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope.cli.main import command
from radoscope.errors import PlanError, StoreError
from radoscope.kinds import read as read_study
from radoscope.records.study import Study
from radoscope.report.anonymous import map_texts
from radoscope.workflow import load_study
from radoscope.workflow.library import import_text, open_store
from radoscope.workflow.pack import pack
from tests.workflow.planted import FIO, FSID, SECRETS, plant

pytestmark = pytest.mark.usefixtures("home")


def unpack(file: Path, folder: Path) -> Path:
    """The one folder that the archive holds."""
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    (only,) = folder.iterdir()
    return only


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_unpacked_is_what_was_packed_and_is_listed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = plant()
    packed = pack(bundle.manifest.id, tmp_path / "study.tgz")
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "elsewhere"))
    copy = unpack(tmp_path / "study.tgz", tmp_path / "elsewhere" / "studies")
    assert content(copy) == content(bundle.folder)
    assert packed.files == len(content(copy))
    (entry,) = open_store().list()
    assert entry.id == copy.name == bundle.manifest.id
    assert load_study(str(copy)) == read_study(bundle.folder)


def test_the_same_study_is_the_same_file_and_tells_nobody_who_packed_it(tmp_path: Path) -> None:
    plant()
    files = [tmp_path / "one.tgz", tmp_path / "two.tar.gz"]
    for file in files:
        pack("last", file, anonymous=True)
    assert files[0].read_bytes() == files[1].read_bytes()
    with tarfile.open(files[0]) as archive:
        assert {(entry.uid, entry.uname, entry.mtime) for entry in archive} == {(0, "", 1_000_000_000)}


def test_no_name_is_left_and_every_number_stays(tmp_path: Path) -> None:
    bundle = plant()
    before = content(bundle.folder)
    for secret in SECRETS:  # else the test would prove nothing
        assert any(secret.encode() in name.encode() + raw for name, raw in before.items()), secret
    pack("last", tmp_path / "nameless.tgz", anonymous=True)
    copy = unpack(tmp_path / "nameless.tgz", tmp_path / "copy")
    for name, raw in content(copy).items():
        for secret in SECRETS:
            assert secret.lower() not in (name + raw.decode("utf-8", "replace")).lower(), (secret, name)
    assert blank(read_study(copy)) == blank(read_study(bundle.folder))
    assert [len(segment.results) for segment in read_study(copy).segments][:2] == [
        1,
        len(json.loads(FIO.read_text())["jobs"]),
    ]
    assert content(bundle.folder) == before


def blank(study: Study) -> str:
    """Everything but texts."""
    return repr(map_texts(study, lambda text: ""))


def test_what_a_reader_needs_stays(tmp_path: Path) -> None:
    plant()
    pack("last", tmp_path / "nameless.tgz", anonymous=True)
    study = read_study(unpack(tmp_path / "nameless.tgz", tmp_path / "copy"))
    cluster = study.environment.cluster
    assert cluster is not None and cluster.pool is not None
    assert cluster.changed_options["osd/osd_mclock_profile"] == "high_client_ops"
    assert cluster.changed_options["osd/debug_osd"] == "1/5"
    assert cluster.changed_options["mgr/mgr/telemetry/contact"] == "(removed)"
    assert (cluster.pool.name, cluster.pool.crush_rule, cluster.version) == ("pool-1", "rule-1", "18.2.4")
    assert [host.name for host in study.environment.hosts] == ["host-1", "host-2"]
    assert [host.kernel for host in study.environment.hosts] == ["6.8.12-4-pve", "6.1.0"]
    text = next((tmp_path / "copy").rglob("ceph-osd-metadata.json")).read_text()
    assert "sda=Samsung_SSD_870_EVO_4TB_serial-1" in text
    assert '".mgr"' in next((tmp_path / "copy").rglob("ceph-osd-dump.json")).read_text()


def test_a_thing_is_called_the_same_in_all_files_and_in_the_report(tmp_path: Path) -> None:
    plant()
    pack("last", tmp_path / "nameless.tgz", anonymous=True)
    copy = unpack(tmp_path / "nameless.tgz", tmp_path / "copy")
    assert "benchmark_data_host-1_5639" in (copy / "segments/0/client-0.json").read_text()
    assert "Linux host-1 6.8.12" in (copy / "segments/2/client-0.json").read_text()
    assert '"hostname": "host-1"' in (copy / "environment/host.json").read_text()
    assert (copy / "environment/host-host-2.json").exists()
    nameless, reported = read_study(copy), load_study("last", anonymous=True)
    assert reported.environment.hosts == nameless.environment.hosts
    assert reported.environment.cluster == nameless.environment.cluster
    assert reported.clients == nameless.clients == ("here", "ssh:host-2")


@pytest.mark.parametrize(
    ("host", "pool"), [("ceph", "rbd"), ("osd", "data"), ("jobs", "images"), ("read", "write"), ("json", "mail")]
)
def test_names_that_are_words_of_the_formats_break_nothing(host: str, pool: str, tmp_path: Path) -> None:
    bundle = plant(host, pool)
    pack("last", tmp_path / "nameless.tgz", anonymous=True)
    copy = unpack(tmp_path / "nameless.tgz", tmp_path / "copy")
    assert blank(read_study(copy)) == blank(read_study(bundle.folder))


@pytest.mark.parametrize("pool", ["writes", "fio_json"])  # rados bench prints "Total writes made"; a reader's name
def test_where_a_number_would_be_lost_nothing_is_written(pool: str, tmp_path: Path) -> None:
    plant(pool=pool)
    with pytest.raises(StoreError, match="would read differently"):
        pack("last", tmp_path / "nameless.tgz", anonymous=True)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_damaged_files_lose_their_names_too(tmp_path: Path) -> None:
    bundle = plant()
    for path in bundle.folder.glob("environment/*.json"):
        path.write_text(path.read_text()[:-40])
    (bundle.folder / "segments/1/client-0.json").write_text('{"jobs": [{"jobname": "of loader7", "x": "\\q 10.10.1.12')
    pack("last", tmp_path / "nameless.tgz", anonymous=True)
    for name, raw in content(unpack(tmp_path / "nameless.tgz", tmp_path / "copy")).items():
        assert not [secret for secret in (b"loader7", b"10.10.1.12", b"ops-team", FSID.encode()) if secret in raw], name


def test_an_import_can_be_packed_but_its_names_cannot_be_known(tmp_path: Path) -> None:
    entry = import_text(FIO.read_bytes(), "fio.json").entry
    assert entry is not None
    pack(entry.id, tmp_path / "import.tgz")
    copy = unpack(tmp_path / "import.tgz", tmp_path / "copy")
    assert (copy / "text.txt").read_bytes() == FIO.read_bytes()
    assert len(load_study(str(copy)).segments) == entry.results
    with pytest.raises(PlanError, match="cannot know which names"):
        pack(entry.id, tmp_path / "other.tgz", anonymous=True)
    assert not (tmp_path / "other.tgz").exists()


def test_rows_lose_their_names_too(home: Path) -> None:
    plant()
    plain = json.loads(run("export", "last").stdout)["results"]
    nameless = json.loads(run("export", "last", "--anonymous").stdout)["results"]
    assert plain[0]["target"] == "pve1: 1 OSD" and nameless[0]["target"] == "host-1: 1 OSD"
    assert [row | {"target": ""} for row in plain] == [row | {"target": ""} for row in nameless]


def run(*words: str) -> Result:
    return CliRunner().invoke(command, words, catch_exceptions=False)


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        (("nobody", "-o", "x.tgz"), StoreError, "no study"),
        (("last", "last", "-o", "x.tgz"), PlanError, "one study"),
        (("--all", "-o", "x.tgz"), PlanError, "one study"),
        (("last", "-f", "bundle"), PlanError, "written to a file"),
        (("last", "-o", "missing/x.tgz"), StoreError, "cannot write missing/x.tgz: No such file"),
        (("last", "-f", "bundle", "-o", "/dev/null"), StoreError, "not a regular file"),
        (("last", "-o", "home/studies/20260314-0926-seed/x.tgz"), StoreError, "lies within the study"),
    ],
)
def test_what_cannot_be_packed_is_said(
    words: tuple[str, ...], error: type[Exception], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=said):
        run("export", *words)
    assert not list(tmp_path.rglob("*x.tgz*"))


@pytest.mark.parametrize("anonymous", [(), ("--anonymous",)])
def test_a_full_disk_leaves_the_file_that_was_there(anonymous: tuple[str, ...], tmp_path: Path) -> None:
    plant()
    (tmp_path / "study.tgz").write_text("of yesterday")
    # -B: Python keeps what it could write of a module's bytecode, and fails to load that from then on.
    argv = [sys.executable, "-B", "-m", "radoscope", "export", "last", "-o", "study.tgz", *anonymous]
    done = subprocess.run(argv, cwd=tmp_path, preexec_fn=_no_room, capture_output=True, text=True, check=False)
    assert done.returncode == StoreError.exit_code
    assert "cannot write study.tgz" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "study.tgz"]
    assert (tmp_path / "study.tgz").read_text() == "of yesterday"


def _no_room() -> None:
    """Files end after 1 KiB, as on a disk that fills up."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def test_the_suffix_chooses_the_bundle_and_the_end_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant()
    monkeypatch.chdir(tmp_path)
    told = run("export", "last", "-o", "study.tar.gz", "--anonymous").stderr
    assert "study.tar.gz: " in told and "look through the files before you post them" in told
    assert run("show", str(unpack(tmp_path / "study.tar.gz", tmp_path / "copy"))).exit_code == 0
