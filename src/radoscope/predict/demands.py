"""From a setting and the constants to stations: what one operation costs, where, and how much of it there is."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.predict.constants import Constants
from radoscope.predict.setting import DISK_READ_S, DISK_WRITES, REFERENCE_SPEED, Numbers, Real, Setting
from radoscope.predict.stations import Station
from radoscope.words import N_

HYPERTHREAD = 0.62
"""A hardware thread is worth this share of a core when its sibling is busy (a pair is 1.24 cores)."""

THREADS_PER_OSD = 18.0
"""An OSD cannot use more hardware threads than this (8 shards x 2, 3 messengers; flat past 16 in ceph.io's sweep)."""


ERASURE_READ = 0.8
"""CPU of each further shard that a read touches, relative to a read of its own."""

BURST = 4.0
"""An operation waits this much longer for an OSD's CPU than in a queue of random arrivals: compactions, locks of
placement groups and uneven load come in bursts. Chosen out of laboratory; for small operations alone."""

STARVED_POWER = 0.2
"""With half of the memory that an OSD wants, this power of 2 more of its reads reach the drive; an assumption."""

SMALL = 65536
"""Bytes below which an operation's cost is per operation rather than per byte."""

SLEEPY_LOAD = 0.5
"""Power saving slows a loaded CPU by this power of what it does to one operation alone: 10-20 % against 30 %."""

SOFTWARE_POWER = 0.75
"""One operation alone gains this power of the speed: part of its way is waking threads, which the clock shortens
less."""

AWAKE = 2.0
"""Operations in flight an OSD at which half of its processors' sleep is gone: at depth 4 an operation may take less
time than at depth 1."""

WITHIN_HOST = 0.7
"""Software latency where client and OSDs share one host, relative: no network card interrupts anybody, and the woken
thread's core is awake; fast desktops read in 0.11 ms."""

STEADY = 0.5
"""A transfer takes the same time each time, so an arrival waits half as long for a line, or for a drive that moves
large blocks, as where service times are random (Pollaczek and Khinchine)."""

TYPICAL_SYNC = 1.6e-3
"""Seconds of a durable write on a client drive, at which `flash_commit` is stated; it grows as the root of it."""


SATA_BPS = 6.5e8
"""Bytes per second that no drive behind a 6 Gbit/s line reaches."""

SLOW_LINE_BPS = 2.5e8
"""Bytes per second up to which a switch's buffers hold what many OSDs send to one client at once: on 1 GbE clients
read 0.93 of the line, on 10 GbE of the same hosts 0.6 (seed 001)."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Unloaded seconds of one operation (mean of its reads and writes) by layer, and the stations where it may wait.

    commit_flush, commit_item: the gated batch of each OSD's commit thread. commits: commits per operation and OSD.
    """

    network: Real
    client: Real
    osd: Real
    media: Real
    commit_flush: Real
    commit_item: Real
    commits: Real
    join: Real
    write_share: Real
    stations: tuple[Station, ...]


def shard_operations(setting: Setting, numbers: Numbers) -> tuple[Real, Real]:
    """(reads, writes): how many OSDs' work one read, and one write, is.

    Replication: 1 and `width`. Erasure coding before release 20 reads the whole stripe (k shards), and a small write
    reads k and writes k + m; since then one shard is read, by way of the primary unless that holds it, and 1 + m are
    read and written. A write of whole stripes reads nothing, and a read of one touches k shards.
    """
    parity = setting.width - setting.shards_k
    elsewhere = 1 - 1 / setting.shards_k
    whole = setting.block >= setting.stripe
    reads = numbers.choose(
        whole, setting.shards_k, numbers.choose(setting.fast_erasure, 1 + elsewhere, setting.shards_k)
    )
    slow = setting.shards_k + setting.width
    small = numbers.choose(setting.fast_erasure, 2 * (1 + parity), slow)
    writes = numbers.choose(whole, setting.width, small)
    return numbers.choose(setting.erasure, reads, 1.0), numbers.choose(setting.erasure, writes, setting.width)


def costs(setting: Setting, c: Constants, numbers: Numbers) -> Costs:
    """Everything that one operation costs. Rates of stations are in client operations per second of the whole load."""
    read, write = _shares(setting)
    slow = _software_factor(setting, c, numbers)
    flush, item = _commit(setting, c, numbers)
    stations = (
        _client(setting, c, numbers),
        _connection(setting, c, numbers),
        *_lines(setting, c, numbers),
        *_processors(setting, c, numbers),
        _osd_thread(setting, c, numbers),
        _media(setting, c, numbers),
    )
    hop = c.hop_cycles * setting.block / (setting.speed * 1e9)
    coded = numbers.choose(setting.erasure, c.erasure_latency, 1.0)
    reading = c.erasure_latency ** _gathered(setting, numbers)
    software = slow * setting.turns * (read * c.read_software * reading + write * c.write_software * coded)
    cached = numbers.choose(setting.client_cache, c.client_cache, 1.0)
    missed = read * missing(setting, c, numbers)
    reads_at, writes_at = _steady_rates(setting, c, numbers)
    transfer = setting.block / setting.shards_k * (missed / reads_at + write / writes_at)
    return Costs(
        network=_network_time(setting, numbers) * (read + write * cached),
        client=(0.3 * software + 2 * hop) * (read + write * cached),
        osd=(0.7 * software + 2 * hop * (1 + write)) * (read + write * cached),
        media=missed * _read_time(setting, c, numbers) + transfer * (read + write * cached),
        commit_flush=flush * cached,
        commit_item=item,
        commits=write
        * numbers.choose(setting.erasure, shard_operations(setting, numbers)[1] / 2, setting.width)
        / setting.osds,
        join=c.join,
        write_share=write,
        stations=stations,
    )


def _shares(setting: Setting) -> tuple[Real, Real]:
    """Of reads and of writes."""
    return setting.read_share, 1 - setting.read_share


def _place(setting: Setting, c: Constants) -> Real:
    """What virtual machines and a second socket cost the OSDs' CPUs."""
    return c.virtual**setting.virtual * c.two_sockets**setting.two_sockets


def _software_factor(setting: Setting, c: Constants, numbers: Numbers) -> Real:
    """How much slower software runs than at the reference: clock, C-states, release, access path, backend."""
    speed = (REFERENCE_SPEED / setting.speed) ** SOFTWARE_POWER
    asleep = setting.power_saving / (1 + (setting.in_flight - 1) / setting.osds / AWAKE)
    factor = speed * c.power_saving**asleep * numbers.sqrt(c.old_release) ** setting.old
    factor = factor * c.krbd**setting.krbd * c.vm**setting.vm * c.cephfs**setting.cephfs * c.rados**setting.rados
    factor = factor * c.virtual ** (0.25 * setting.virtual) * WITHIN_HOST**setting.one_host
    return factor * c.filestore**setting.filestore * c.rgw_latency**setting.rgw


def _commit(setting: Setting, c: Constants, numbers: Numbers) -> tuple[Real, Real]:
    """(seconds per batch, seconds per item) of an OSD's commit thread. See model.md on flushes."""
    fresh = c.fresh ** (setting.rados * (1 - setting.plp))
    flash = setting.write + c.flush * setting.flushes * fresh * setting.sync
    behind_db = c.flush * setting.flushes * setting.db_sync + c.disk_commit
    flush = numbers.choose(setting.hdd * setting.db, behind_db, flash)
    item = c.kv_cycles / (setting.speed * 1e9) * c.old_release ** (0.5 * setting.old)
    return flush, item


def missing(setting: Setting, c: Constants, numbers: Numbers) -> Real:
    """Share of reads that reach the device. An OSD on a disk caches less of a far larger store; small reads of
    FileStore find a page cache of all free memory; large reads come once through BlueStore's few gigabytes."""
    small = setting.block < SMALL
    share = numbers.choose(setting.hdd, numbers.sqrt(c.miss), c.miss)
    just_written = numbers.choose(setting.rados, c.page_cache, 1.0)  # rados bench reads what it wrote minutes ago
    large = numbers.choose(setting.filestore, share * just_written, numbers.sqrt(share))
    cached = numbers.choose(setting.filestore, c.page_cache * share, share)
    starving = setting.starved**STARVED_POWER
    return (1 - setting.cached) * numbers.smaller(numbers.choose(small, cached, large) * starving, 1.0)


def _read_time(setting: Setting, c: Constants, numbers: Numbers) -> Real:
    """Seconds of one random read on the device at the depth it sees."""
    depth = setting.in_flight * setting.read_share / setting.devices
    disk = c.disk_read * setting.read / DISK_READ_S / (1 + c.disk_queue * numbers.log(1 + depth))
    disk = numbers.choose(setting.sequential, disk * 0.1, disk)
    return numbers.choose(setting.hdd, disk, setting.read)


def _client(setting: Setting, c: Constants, numbers: Numbers) -> Station:
    """The serial part of each image, VM or process. rados bench compares what it reads with what it wrote."""
    path = c.vm**setting.vm * c.cephfs**setting.cephfs
    each = c.client_cycles * c.rados_client**setting.rados * c.old_release**setting.old
    a_byte = c.client_byte_cycles * (1 + c.verify * setting.rados * setting.read_share)
    cycles = path * (each + a_byte * setting.block)
    service = cycles / _handing_over(setting, numbers) * c.virtual**setting.virtual
    return Station(N_("client"), setting.clients / service, service)


def _connection(setting: Setting, c: Constants, numbers: Numbers) -> Station:
    """One messenger thread serves one client's connection to one OSD: few OSDs and one client are few threads."""
    cycles = c.connection_cycles + c.connection_byte_cycles * setting.block
    service = cycles / _handing_over(setting, numbers)
    return Station(N_("connection"), setting.clients * setting.osds / service, service)


def _handing_over(setting: Setting, numbers: Numbers) -> Real:
    """Cycles per second of one thread that mostly wakes others: the kernel's time more than the clock's, so it grows
    as the root of the speed, as the software latency does (one image reads 94 K/s at 5.6, 107 to 122 K/s at 3.2)."""
    return REFERENCE_SPEED * 1e9 * numbers.sqrt(setting.speed / REFERENCE_SPEED)


def _sent_on(setting: Setting, numbers: Numbers) -> tuple[Real, Real]:
    """(write, read): bytes that the primary sends to other hosts for a write, and gets from them for a read."""
    apart = 1 - _same_host(setting, numbers)
    parts = setting.block / setting.shards_k
    return parts * (setting.width - 1) * apart, parts * (setting.shards_k - 1) * apart


def _same_host(setting: Setting, numbers: Numbers) -> Real:
    """Share of an object's other parts that lie on the primary's host: none, unless hosts are too few for one each."""
    beside = (setting.osds / setting.nodes - 1) / numbers.larger(setting.osds - 1, 1.0)
    return numbers.choose(setting.width > setting.nodes, beside, 0.0)


def _gathered(setting: Setting, numbers: Numbers) -> Real:
    """Share of reads for which the primary asks another OSD first: all of a coded pool before release 20, since then
    those of shards that it does not hold."""
    small = numbers.choose(setting.fast_erasure * (setting.block < setting.stripe), 1 - 1 / setting.shards_k, 1.0)
    return setting.erasure * small


def _network_time(setting: Setting, numbers: Numbers) -> Real:
    """Seconds on an empty network: round trips, and the bytes. The primary sends its copies one after the other;
    a write to an erasure-coded pool reads first, and a read comes from other OSDs by way of the primary."""
    read, write = _shares(setting)
    copies, parts = _sent_on(setting, numbers)
    wire = setting.block / setting.client_bps + (write * copies + read * parts) / setting.cluster_bps
    trips = read * (1 + _gathered(setting, numbers)) + write * (2 + setting.erasure)
    return setting.rtt * trips + wire * (1 - setting.one_host)


def _lines(setting: Setting, c: Constants, numbers: Numbers) -> tuple[Station, Station, Station]:
    """Client lines, OSD hosts' lines in and out. A load on one host alone crosses no line."""
    read, write = _shares(setting)
    far = 1 - setting.local
    free = 1e12 * setting.one_host
    client = setting.client_hosts * setting.client_bps
    beside = numbers.smaller(setting.client_hosts, setting.nodes) / setting.nodes * setting.hyperconverged
    copies, parts = _sent_on(setting, numbers)
    line_in = numbers.choose(setting.client_bps > SLOW_LINE_BPS, c.line_in, c.line_out)
    leaving = write * (setting.block * far + beside * copies) / c.line_out
    bytes_per_op = numbers.larger(read * setting.block * far / line_in, leaving)
    to_osd = write * (setting.block * far + copies) + read * parts
    from_osd = read * (setting.block * far + parts) + write * copies
    hosts = setting.nodes * numbers.smaller(setting.public_bps, setting.cluster_bps)
    return (
        _line(N_("client network"), client, bytes_per_op, free, setting.client_hosts),
        _line(N_("network into OSD hosts"), hosts * c.line_osd, to_osd, free, setting.nodes),
        _line(N_("network out of OSD hosts"), hosts * c.line_out, from_osd, free, setting.nodes),
    )


def _line(name: str, bytes_per_s: Real, bytes_per_op: Real, free: Real, lines: Real) -> Station:
    capacity = bytes_per_s / (bytes_per_op + 1e-3) + free
    return Station(name, capacity, STEADY * lines / capacity)


def _processors(setting: Setting, c: Constants, numbers: Numbers) -> tuple[Station, Station]:
    """The cores that the OSDs can use, and all cores of the hosts, which clients beside them use too."""
    read, write = _shares(setting)
    shard_reads, shard_writes = shard_operations(setting, numbers)
    stored = setting.block * setting.width / setting.shards_k
    release = c.old_release**setting.old * c.tuning**setting.tuned * c.filestore**setting.filestore
    each = numbers.choose(setting.erasure, c.erasure_op, 1.0)
    reading = (
        c.read_cycles * (1 + (shard_reads - 1) * numbers.choose(setting.erasure, ERASURE_READ, 1.0))
        + c.read_byte_cycles * setting.block * (2 - 1 / setting.shards_k)  # the primary gathers all parts but its own
    )
    writing = c.write_cycles * c.recent_release**setting.recent * shard_writes * each + c.write_byte_cycles * stored
    writing = writing + setting.erasure * c.read_byte_cycles * setting.block  # cut into shards, coded and checked
    request = c.rgw_cycles * (read + write * c.rgw_put)
    gateway = setting.rgw * (request + c.rgw_byte_cycles * setting.block)
    guest = setting.guests * (c.guest_cycles + (c.client_byte_cycles + c.hop_cycles) * setting.block)
    mixed = 1 + c.mixing * 4 * read * write
    asleep = c.power_saving ** (SLEEPY_LOAD * setting.power_saving)
    cycles = (read * reading + write * writing) * mixed * release * asleep * c.alone**setting.alone * _place(setting, c)
    threads = numbers.smaller(setting.threads_per_osd, THREADS_PER_OSD)
    useful = HYPERTHREAD * 2 * (threads / 2) ** c.thread_power
    capacity = setting.osds * useful * setting.speed * 1e9 / cycles
    host_threads = setting.nodes * setting.threads_per_host * HYPERTHREAD
    host_capacity = host_threads * setting.speed * 1e9 / (cycles + guest + gateway)
    visits = read + write * setting.width / 2
    burst = numbers.choose(setting.block < SMALL, BURST, 1.0)
    osd = Station(N_("OSD CPU"), capacity, burst * setting.osds / (capacity * visits))
    return osd, Station(N_("host CPU"), host_capacity, burst * setting.nodes / (host_capacity * visits))


def uneven(setting: Setting, numbers: Numbers) -> Real:
    """By how much the busiest OSD exceeds the mean, relative, by the placement of groups alone (balls into bins).

    Reads go to the primaries of the groups alone, writes to all their copies: fewer, so less even, for reads.
    """
    each = setting.read_share / setting.width + 1 - setting.read_share
    groups = numbers.larger(setting.pgs_per_osd * each, 0.5)
    return numbers.sqrt(2 * numbers.log(numbers.larger(setting.osds, 1.0)) / groups)


def _osd_thread(setting: Setting, c: Constants, numbers: Numbers) -> Station:
    """The serial stage of each OSD (placement-group locks, messenger), at the busiest OSD."""
    read, write = _shares(setting)
    shard_reads, shard_writes = shard_operations(setting, numbers)
    crowd = 1 + c.pg_half / setting.pgs_per_osd
    busiest = 1 + c.imbalance * uneven(setting, numbers)
    release = c.old_release ** (0.5 * setting.old) * c.filestore**setting.filestore * _place(setting, c)
    service = c.osd_cycles * crowd * release * c.tuning**setting.tuned / (setting.speed * 1e9)
    visits = read * shard_reads + write * shard_writes
    return Station(N_("OSD threads"), setting.osds / (service * visits * busiest), service)


def _steady_rates(setting: Setting, c: Constants, numbers: Numbers) -> tuple[Real, Real]:
    """(read, written): bytes per second that one drive keeps up, of those on its data sheet.

    Behind a 6 Gbit/s line a drive with power-loss protection is limited by the line and not by its flash; a client
    drive writes into a small fast cache until that is full, and each commit flushes it.
    """
    flash = numbers.choose(setting.plp * (setting.seq_read < SATA_BPS), c.sata_share, c.device_share)
    share = numbers.choose(setting.hdd, c.disk_share, flash)
    kept = numbers.choose(setting.plp + setting.hdd, 1.0, c.client_share)
    return setting.seq_read * share, setting.seq_write * share * kept


def _media(setting: Setting, c: Constants, numbers: Numbers) -> Station:
    """The drives: bytes, operations, and what a small durable write costs a drive without power-loss protection."""
    read, write = _shares(setting)
    reads_at, writes_at = _steady_rates(setting, c, numbers)
    small = setting.block < SMALL
    per_copy = setting.block / setting.shards_k
    copies = numbers.choose(setting.erasure * small, shard_operations(setting, numbers)[1], setting.width)
    durable = numbers.choose(setting.plp, 0.0, c.flash_commit * numbers.sqrt(setting.sync / TYPICAL_SYNC))
    depth = setting.in_flight * setting.width / setting.devices
    disk = c.disk_write * DISK_WRITES / setting.deep_write / (1 + c.disk_queue * numbers.log(1 + depth))
    disk = disk * numbers.choose(setting.db, 1.0, c.disk_write_no_db)
    one_write = numbers.choose(setting.hdd, disk, 1 / setting.deep_write + durable)
    one_write = numbers.choose(small, one_write, durable * (1 - setting.hdd))
    writing = copies * numbers.larger(one_write, c.write_amplification * per_copy / writes_at)
    one_read = numbers.choose(setting.hdd, _read_time(setting, c, numbers), 1 / setting.deep_read)
    one_read = numbers.choose(small, one_read, 0.0)
    stripes = setting.erasure * numbers.larger(setting.block >= setting.stripe, 1 - setting.fast_erasure)
    one_read = one_read * numbers.choose(stripes, setting.shards_k, 1.0)  # each of its data shards is read
    reading = missing(setting, c, numbers) * numbers.larger(one_read, setting.block / reads_at)
    mixed = 1 + c.mixing * 4 * read * write
    demand = (read * reading + write * writing) * mixed / setting.devices + 1e-12
    variation = numbers.choose(small, 1.0, STEADY)
    return Station(N_("drives"), 1 / demand, variation * demand * setting.devices)
