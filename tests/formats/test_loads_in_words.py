"""The words in which people name a load, in a dozen languages: what a heading or a caption says of it."""

from __future__ import annotations

import pytest

from radoscope.formats.grammar.phrases import Load, heading_of

K, M = 2**10, 2**20

LOADS = {
    # operations
    "4k randread": Load(True, "read", 4 * K),
    "randwrite 16k": Load(True, "write", 16 * K),
    "Rnd Read": Load(True, "read"),
    "Seq W": Load(False, "write"),
    "Seq. Write": Load(False, "write"),
    "RandRd": Load(True, "read"),
    "4KR": Load(None, "read", 4 * K),
    "R4K": Load(None, "read", 4 * K),
    "rand_read_4k": Load(True, "read", 4 * K),
    "random-write-4k-q32-j4": Load(True, "write", 4 * K, 32, 4),
    "4k_randread_qd32_nj4": Load(True, "read", 4 * K, 32, 4),
    "zufälliges Lesen, 4-KiB-Blöcke": Load(True, "read", 4 * K),
    "Lesen (zufällig, 4 KB)": Load(True, "read", 4 * K),
    "wahlfreies Schreiben": Load(True, "write"),
    "sequenzielles Lesen": Load(False, "read"),
    "lecture aléatoire 4 Kio": Load(True, "read", 4 * K),
    "écriture séquentielle": Load(False, "write"),
    "lectura aleatoria": Load(True, "read"),
    "scrittura sequenziale 1M": Load(False, "write", M),
    "leitura sequencial": Load(False, "read"),
    "odczyt losowy 4k": Load(True, "read", 4 * K),
    "zapis sekwencyjny": Load(False, "write"),
    "náhodný zápis": Load(True, "write"),
    "случайное чтение 4к": Load(True, "read", 4 * K),
    "последовательная запись": Load(False, "write"),
    "随机读 4K": Load(True, "read", 4 * K),
    "顺序写 1M": Load(False, "write", M),
    "ランダム読み取り 4KiB": Load(True, "read", 4 * K),
    "シーケンシャル書き込み": Load(False, "write"),
    "랜덤 쓰기": Load(True, "write"),
    # sizes
    "block size of 4 kB": Load(block_bytes=4 * K),
    "4096-byte random writes": Load(True, "write", 4 * K),
    "64-KiB blocks": Load(block_bytes=64 * K),
    "1-MB-Blöcke": Load(block_bytes=M),
    "blocs de 4 Ko": Load(block_bytes=4 * K),
    "bloques de 8 KB": Load(block_bytes=8 * K),
    "blocchi da 4K": Load(block_bytes=4 * K),
    "блоками по 4 КБ": Load(block_bytes=4 * K),
    "块大小 8K": Load(block_bytes=8 * K),
    "2300 byte writes": Load(None, "write", 2300),
    "2300-byte writes": Load(None, "write", 2300),
    # depths
    "queue depth of 32": Load(depth=32),
    "queue depth 32": Load(depth=32),
    "queue-depth=32": Load(depth=32),
    "QD=32": Load(depth=32),
    "@QD32": Load(depth=32),
    "IOPS@16": Load(depth=16),
    "an iodepth of 8": Load(depth=8),
    "32 outstanding IOs": Load(depth=32),
    "32 outstanding": Load(depth=32),
    "32 I/Os in flight": Load(depth=32),
    "4K Q32": Load(block_bytes=4 * K, depth=32),
    "Tiefe 16": Load(depth=16),
    "Warteschlangentiefe 16": Load(depth=16),
    "Queue-Tiefe von 32": Load(depth=32),
    "profondeur de file de 16": Load(depth=16),
    "profundidad de cola 64": Load(depth=64),
    "profundidade 32": Load(depth=32),
    "profundidade de fila 32": Load(depth=32),
    "coda 32": Load(depth=32),
    "profondità di coda 32": Load(depth=32),
    "głębokość kolejki 32": Load(depth=32),
    "hloubka fronty 16": Load(depth=16),
    "глубина очереди 32": Load(depth=32),
    "глубина 32": Load(depth=32),
    "очередь 32": Load(depth=32),
    "队列深度32": Load(depth=32),
    "キュー深度32": Load(depth=32),
    "キュー32": Load(depth=32),
    "큐 깊이 16": Load(depth=16),
    # jobs
    "4 jobs": Load(jobs=4),
    "eight jobs": Load(jobs=8),
    "one job": Load(jobs=1),
    "single job": Load(jobs=1),
    "a single thread": Load(jobs=1),
    "one thread": Load(jobs=1),
    "single-threaded": Load(jobs=1),
    "8 workers": Load(jobs=8),
    "4 processes": Load(jobs=4),
    "4 fio jobs": Load(jobs=4),
    "4 parallel jobs": Load(jobs=4),
    "numjobs=4": Load(jobs=4),
    "nj=4": Load(jobs=4),
    "jobs=2 iops=91244": Load(jobs=2),
    "ein Job": Load(jobs=1),
    "ein Thread": Load(jobs=1),
    "zwei Jobs": Load(jobs=2),
    "16 Threads": Load(jobs=16),
    "un seul job": Load(jobs=1),
    "un thread": Load(jobs=1),
    "8 hilos": Load(jobs=8),
    "un hilo": Load(jobs=1),
    "un solo thread": Load(jobs=1),
    "jeden wątek": Load(jobs=1),
    "1 vlákno": Load(jobs=1),
    "4 потока": Load(jobs=4),
    "один поток": Load(jobs=1),
    "в один поток": Load(jobs=1),
    "单线程": Load(jobs=1),
    "4线程": Load(jobs=4),
    "8个线程": Load(jobs=8),
    "シングルスレッド": Load(jobs=1),
    "4スレッド": Load(jobs=4),
    "스레드 2개": Load(jobs=2),
}
NO_LOADS = (
    "16 cores",
    "3 copies",
    "2 x 10 Gbit",
    "replica 3",
    "12 OSDs",
    "4 hosts",
    "PCIe 4.0",
    "64 GB RAM",
    "read-only",
    "ready",
)


@pytest.mark.parametrize("text", LOADS)
def test_a_load_is_understood(text: str) -> None:
    assert heading_of(text).load == LOADS[text]


@pytest.mark.parametrize("text", NO_LOADS)
def test_what_names_no_load_tells_of_none(text: str) -> None:
    assert heading_of(text).load == Load()
