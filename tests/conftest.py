"""What all tests share: real clusters, each started when a worker's first test asks for it; who runs beside whom."""

from __future__ import annotations

import fcntl
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.sandbox.faults import inflict
from radoscope.sandbox.shape import DISKS
from tests import examples
from tests.side_by_side import group_of, pytest_xdist_make_scheduler, turn

examples.load()
os.environ["LC_ALL"] = "C.UTF-8"  # messages are in the language of the environment
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a script's `pytest &`; a shell could not trap what it inherits
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["pytest_xdist_make_scheduler"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    astray = [item.nodeid for item in items if "lab" in getattr(item, "fixturenames", ()) and turn(item) > 0]
    if astray:
        raise pytest.UsageError(f"{astray[0]} uses the lab: its file belongs to the first of GROUPS in side_by_side.py")
    if hasattr(config, "workerinput"):
        items.sort(key=turn)


@contextmanager
def radoscope_home(home: Path) -> Iterator[Path]:
    """RADOSCOPE_HOME for a while."""
    before = os.environ.get("RADOSCOPE_HOME")
    os.environ["RADOSCOPE_HOME"] = str(home)
    try:
        yield home
    finally:
        if before is None:
            del os.environ["RADOSCOPE_HOME"]
        else:
            os.environ["RADOSCOPE_HOME"] = before


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A RADOSCOPE_HOME of the test's own, where it has no other."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


_host = os.open(tempfile.gettempdir(), os.O_RDONLY)
_held = 0


@contextmanager
def host_to_itself() -> Iterator[None]:
    """One at a time, of all test runs on this host: `radoscope clean`, and tests that leave a dead sandbox.

    Cleaning looks at the whole host: it would take away what such a test wants to find.
    """
    global _held
    if not _held:
        fcntl.flock(_host, fcntl.LOCK_EX)
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if not _held:
            fcntl.flock(_host, fcntl.LOCK_UN)


@pytest.fixture
def alone_on_host() -> Iterator[None]:
    with host_to_itself():
        yield


@pytest.fixture(scope="session")
def kernel_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """The simulator's kernel, compiled by one worker for all, and again only once its sources have changed."""
    from radoscope.predict.simulate import compiling  # takes a second to load
    from radoscope.predict.simulate.network import Load, Network, Route, Service, StationGroup, Visit
    from radoscope.predict.simulate.run import run_network

    folder, patch = request.config.cache.mkdir("simulator"), pytest.MonkeyPatch()
    place = folder / compiling.cache_folder().name
    patch.setattr(compiling, "cache_folder", lambda: place)
    route = Route(name="any", steps=(Visit("any", Service(1.0, 0.0)),))
    network = Network(stations=(StationGroup("any"),), loads=(Load(name="any", routes=(route,), rate_per_s=1.0),))
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run_network(network, seconds=1.0)
    yield
    patch.undo()


_up: dict[str, Path] = {}
"""The clusters of this worker by name, and where each is registered."""


def kept_up(home: Path, spec: sandboxes.SandboxSpec, **options: str) -> sandboxes.Sandbox:
    """A real cluster with these options, started for the first test that asks for it."""
    with radoscope_home(home):
        if spec.name not in _up:
            made = sandboxes.up(spec)
            _up[spec.name] = home
            for name, value in options.items():
                with made.connected(timeout_s=30) as cluster:
                    cluster.tell("config set", who="global", name=name, value=value)
        return sandboxes.load(spec.name)


@contextmanager
def healed(
    home: Path, spec: sandboxes.SandboxSpec, monkeypatch: pytest.MonkeyPatch, **options: str
) -> Iterator[sandboxes.Sandbox]:
    """One at whose home a test is, and whose faults are healed when that has ended."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(home))
    yield kept_up(home, spec, **options)
    inflict(sandboxes.load(spec.name), "heal")


def end_clusters(*names: str) -> None:
    for name in names:
        home = _up.pop(name)
        with radoscope_home(home):
            sandboxes.down(name)
        assert not list(home.glob("sandboxes/[!.]*"))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What no further test of this worker asks for is ended: daemons that idle take CPU from the others."""
    if not hasattr(item.config, "workerinput") or nextitem is None:
        return
    if nextitem.get_closest_marker("ceph") is None:
        end_clusters(*_up)
    elif group_of(item.nodeid) != group_of(nextitem.nodeid):
        end_clusters(*(name for name in _up if name != "shared"))


def pytest_sessionfinish() -> None:
    end_clusters(*_up)


@pytest.fixture(scope="session")
def sandbox_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The RADOSCOPE_HOME in which the shared sandbox is registered."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def sandbox(sandbox_home: Path) -> sandboxes.Sandbox:
    """One real one-host cluster of three OSDs, shared by all tests of a worker; leave it as you found it."""
    return kept_up(sandbox_home, sandboxes.SandboxSpec(name="shared"))


@pytest.fixture(scope="session")
def mortal_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The RADOSCOPE_HOME in which the mortal cluster is registered."""
    return tmp_path_factory.mktemp("mortal")


@pytest.fixture
def mortal(mortal_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sandboxes.Sandbox]:
    """Another one, whose daemons may be killed: it is healed after each test."""
    with healed(mortal_home, sandboxes.SandboxSpec(name="mortal"), monkeypatch) as cluster:
        yield cluster


HEARTBEAT_GRACE_S = 10
"""Of the lab. Ceph's own 20 s would make each test of a host that is cut off last twice as long."""


@pytest.fixture(scope="session")
def lab_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The RADOSCOPE_HOME in which the lab is registered."""
    return tmp_path_factory.mktemp("lab")


@pytest.fixture
def lab(lab_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sandboxes.Sandbox]:
    """One real cluster of three hosts, each with a monitor and an OSD, and two client hosts; healed after each test."""
    spec = sandboxes.SandboxSpec(
        name="lab", hosts=3, clients=2, osds=1, osd_bytes=2 * 2**30, network_bits_per_s=1e9, disk=DISKS["consumer"]
    )
    with healed(lab_home, spec, monkeypatch, osd_heartbeat_grace=str(HEARTBEAT_GRACE_S)) as cluster:
        yield cluster
