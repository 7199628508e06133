"""Which direction a number has that no word beside it names."""

from __future__ import annotations

import pytest

from radoscope.archives import paste


def rates(text: str) -> list[tuple[str | None, float]]:
    """Operation, and IOPS or MB/s of each result."""
    return [(each.op, each.iops or round((each.bandwidth_bytes_per_s or 0.0) / 1e6, 2)) for each in paste.read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Copying from my laptop to the NAS tops out at 33 MB/s.", [("write", 33.0)]),
        ("Beim Kopieren vom NAS komme ich auf 84 MB/s.", [("read", 84.0)]),
        ("La copie vers le NAS se fait à 47 Mo/s.", [("write", 47.0)]),
        ("La copia dal NAS va a 63 MB/s.", [("read", 63.0)]),
        ("Kopiowanie na dysk zewnętrzny idzie z prędkością 29 MB/s.", [("write", 29.0)]),
        ("Копирование на сервер идёт на 57 МБ/с.", [("write", 57.0)]),
        ("拷贝到移动硬盘只有 37MB/s。", [("write", 37.0)]),
        ("Copying files from the USB stick is slow. I only get 9 MB/s.", [("read", 9.0)]),
        ("Copy PC to NAS 101 MB/s, NAS to PC 108 MB/s.", [("write", 101.0), ("read", 108.0)]),
        (
            "I tried hdparm -t /dev/sdb on both boards. It went from 23 MB/s to 17 MB/s.",
            [("read", 23.0), ("read", 17.0)],
        ),
    ],
)
def test_a_copy_to_a_drive_writes_and_one_from_it_reads(text: str, expected: list[tuple[str, float]]) -> None:
    assert rates(text) == expected


@pytest.mark.parametrize(
    "text", ["Copying between the two NAS boxes runs at 60 MB/s.", "The FTP copy to the server gives 4 MB/s."]
)
def test_a_copy_of_which_nobody_can_tell_is_not_read(text: str) -> None:
    assert not paste.read_page(text).results


@pytest.mark.parametrize(
    "text",
    [
        "Both reading and writing run at 230 MB/s.",
        "Lesen und Schreiben liegen jeweils bei 230 MB/s.",
        "En lecture comme en écriture, j'ai 230 Mo/s.",
        "Чтение и запись — по 230 МБ/с.",
        "After the change it reads/writes at about 230 MB/s.",
    ],
)
def test_one_value_of_both_directions_is_two_results(text: str) -> None:
    assert sorted(rates(text)) == [("read", 230.0), ("write", 230.0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lesen und Schreiben nur 90 beziehungsweise 35 MB/s.", [("read", 90.0), ("write", 35.0)]),
        ("NFS schreibt mit 97 MB/s gegenüber 62 MB/s bei SMB.", [("write", 97.0), ("write", 62.0)]),
        ("En NFS l'écriture fait 86 Mo/s contre 44 Mo/s en SMB.", [("write", 86.0), ("write", 44.0)]),
        ("On writes we measured 310.5 against 305.2 MB/s.", [("write", 310.5), ("write", 305.2)]),
        ("Zapis dawał 0,3 MB/s wobec 4,9 MB/s bez szyfrowania.", [("write", 0.3), ("write", 4.9)]),
        ("Reads fell from ~25 MB/s in 5.4.2 to ~19 MB/s in 5.10.7.", [("read", 25.0), ("read", 19.0)]),
        ("쓰기 속도가 390MB/s에서 110MB/s로 떨어졌다.", [("write", 390.0), ("write", 110.0)]),
        (
            "Write speed fell by half after the update.\n5.10.7 --> ~260 MB/s\n6.1.3  --> ~130 MB/s",
            [("write", 260.0), ("write", 130.0)],
        ),
        ("My writes start at 3.1 Mbps, then they drop to 320 Kbps.", [("write", 0.39), ("write", 0.04)]),
        ("Read IOPS are around 640K/s.", [("read", 640000.0)]),
    ],
)
def test_values_set_against_each_other_are_of_one_load(text: str, expected: list[tuple[str, float]]) -> None:
    assert rates(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Disk 540 MB/s write / 1.1 GB/s read; network 97 MB/s; latency 11 ms",
            [("write", 540.0), ("read", 1100.0), ("recv", 97.0), ("rtt", 0.0)],
        ),
        ("Lesen 510 MB/s, Netzwerk 108 MB/s, Schreiben 470 MB/s.", [("read", 510.0), ("write", 470.0)]),
        ("iperf3 gives 938 Mbit/s, but SMB writes are only 31 MB/s.", [("recv", 117.25), ("write", 31.0)]),
        ("So 740 Mbit/s are carried, iperf showed.", [("recv", 92.5)]),
        ("读写速度只有 23MB/s，有时 90MB/s。", []),
    ],
)
def test_a_clause_of_something_else_has_no_direction(text: str, expected: list[tuple[str, float]]) -> None:
    assert [
        (each.op, round((each.bandwidth_bytes_per_s or 0.0) / 1e6, 2)) for each in paste.read_page(text).results
    ] == expected


@pytest.mark.parametrize(
    "text",
    [
        "I read at about 370 MBs.",
        "It reads 370MB per second.",
        "Lettura a 370 MB al secondo.",
        "Okuma 370 MB/sn ölçtüm.",
        "Đọc được 370 MB/giây.",
        "Läsningar: 370 MB/s",
        "读速 370MB/s",
        "Ik lees met 370 MB/s, gelezen van de SSD.",
    ],
)
def test_a_rate_is_read_however_it_is_spelled(text: str) -> None:
    assert rates(text) == [("read", 370.0)]


def test_between_two_drives_a_copy_has_no_direction() -> None:
    assert rates("I copied a file from one USB drive to the NAS: 38 MB/s.") == []
    assert rates("I copied a file from the USB drive to another: 38 MB/s.") == []
    assert rates("I copied a file from the USB drive: 38 MB/s.") == [("read", 38.0)]
