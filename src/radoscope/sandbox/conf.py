"""The ceph.conf of a sandbox."""

from __future__ import annotations

from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import CLUSTER_NETWORK, PUBLIC_NETWORK

# Ceph's 1024 would let 32 OSDs exhaust a machine's fs.aio-max-nr of 65536: an OSD opens its device twice.
AIO_DEPTH = 256

# Seconds; Ceph's own is 5, for monitors that are further apart.
ELECTION_S = "2"

# A test bed with a handful of OSDs on one machine: 360 to 390 MB an OSD under load instead of gigabytes.
_LEAN_OSD = """\
bluestore cache autotune = false
bluestore cache size = 67108864
bluestore cache kv ratio = 0.4
bluestore cache meta ratio = 0.4
osd memory target = 939524096
osd memory target autotune = false
osd map cache size = 50
osd op history size = 50
osd op history duration = 15
osd max pg log entries = 500
osd min pg log entries = 250
osd pg log dups tracked = 250
bluestore rocksdb options = compression=kNoCompression,max_write_buffer_number=4,min_write_buffer_number_to_merge=1,\
recycle_log_file_num=4,write_buffer_size=16777216,writable_file_max_buffer_size=0,compaction_readahead_size=2097152,\
max_background_compactions=2,max_total_wal_size=268435456
"""

# Modules of the manager that a throw-away cluster has no use for; each costs time at every start.
_UNUSED_MODULES = (
    "alerts,cephadm,dashboard,diskprediction_local,influx,insights,k8sevents,localpool,mirroring,nfs,osd_perf_query,"
    "osd_support,prometheus,restful,rook,selftest,snap_schedule,stats,telegraf,test_orchestrator,zabbix"
)


def render_conf(sandbox: Sandbox) -> str:
    """The whole file, for daemons and clients alike."""
    return "\n".join((_everyone(sandbox), _mons(sandbox), _mgrs(sandbox), _osds(sandbox), _above(sandbox)))


def _everyone(sandbox: Sandbox) -> str:
    spec = sandbox.spec
    shared = spec.hosts is not None
    return f"""\
# {sandbox.name}: a radoscope sandbox, remove it with: radoscope sandbox down {sandbox.name}
[global]
fsid = {sandbox.fsid}
mon initial members = {",".join(mon.id for mon in sandbox.mons)}
mon host = {",".join(mon.addresses for mon in sandbox.mons)}
public network = {PUBLIC_NETWORK + ".0/24" if shared else "127.0.0.0/8"}
cluster network = {CLUSTER_NETWORK + ".0/24" if shared else "127.0.0.0/8"}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
keyring = {sandbox.directory}/$cluster.$name.keyring
run dir = {sandbox.run_dir}
ms bind ipv6 = false
osd pool default size = {spec.size}
osd pool default min size = {max(1, spec.size - 1)}
osd pool default pg num = 32
osd pool default pgp num = 32
osd pool default pg autoscale mode = off
osd crush chooseleaf type = {1 if shared else 0}
mon allow pool delete = true
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 0
paxos propose interval = 0.05
paxos min wait = 0.01
"""


def _daemon_files(sandbox: Sandbox) -> str:
    return f"""\
log file = {sandbox.directory}/log/$name.log
log to stderr = false
err to stderr = true
crash dir = {sandbox.directory}/crash
admin socket = {sandbox.run_dir}/$cluster-$name.asok
pid file = {sandbox.run_dir}/$name.pid
"""


def _mons(sandbox: Sandbox) -> str:
    general = f"""\
[mon]
{_daemon_files(sandbox)}mon data = {sandbox.directory}/mon.$id
mon cluster log file = {sandbox.directory}/log/cluster.log
mon osd down out interval = 600
mon osd min down reporters = {_reporters(sandbox)}
mon election timeout = {ELECTION_S}
rocksdb cache size = 33554432
mon rocksdb options = write_buffer_size=8388608,compression=kNoCompression,level_compaction_dynamic_level_bytes=true
mgr initial modules = iostat
"""
    return general + "".join(f"[mon.{mon.id}]\nhost = {mon.host}\n" for mon in sandbox.mons)


def _reporters(sandbox: Sandbox) -> int:
    """How many hosts must miss an OSD before it counts as down: Ceph's 2, or 1 where there are no two others."""
    return 2 if len({osd.host for osd in sandbox.osds}) > 2 else 1


def _mgrs(sandbox: Sandbox) -> str:
    general = f"""\
[mgr]
{_daemon_files(sandbox)}mgr data = {sandbox.directory}/mgr.$id
mgr stats period = 1
mgr pool = false
mgr disabled modules = {_UNUSED_MODULES}
"""
    own = (f"[mgr.{mgr.id}]\npublic addr = {sandbox.layout.host(mgr.host).public_address}\n" for mgr in sandbox.mgrs)
    return general + "".join(own)


def _osds(sandbox: Sandbox) -> str:
    general = f"""\
[osd]
{_daemon_files(sandbox)}osd data = {sandbox.directory}/osd.$id
osd objectstore = bluestore
bluestore block create = false
bluestore debug enforce settings = ssd
bdev aio max queue depth = {AIO_DEPTH}
osd class load list = *
osd class default list = *
osd crush update on start = true
{_LEAN_OSD}"""
    return general + "".join(render_osd(sandbox, osd.id, osd.host) for osd in sandbox.osds)


def render_osd(sandbox: Sandbox, number: int, host_name: str) -> str:
    """The section of one OSD: where it stands and which addresses it has."""
    host = sandbox.layout.host(host_name)
    return f"""\
[osd.{number}]
host = {host.name}
crush location = root=default host={host.name}
public addr = {host.public_address}
cluster addr = {host.cluster_address or host.public_address}
"""


def _above(sandbox: Sandbox) -> str:
    """What stands on the OSDs. The replay of other zones' changes is not needed by a gateway without any.

    tcp_nodelay: by default the front end sends the head of an answer and waits with the rest for an acknowledgement,
    which a client's kernel delays by 40 ms.
    """
    address = {host.name: host.public_address for host in sandbox.hosts}
    mdss = (f"[{mds.daemon}]\n{_daemon_files(sandbox)}public addr = {address[mds.host]}\n" for mds in sandbox.mdss)
    gateways = (
        f"[{gateway.entity}]\n{_daemon_files(sandbox)}"
        f"rgw frontends = beast endpoint={gateway.address}:{gateway.port} tcp_nodelay=1\nrgw run sync thread = false\n"
        for gateway in sandbox.gateways
    )
    return "".join((*mdss, *gateways))
