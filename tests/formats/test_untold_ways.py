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
            [("read", 24.12), ("read", 17.83)],
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
        "The array reads at 370 megabytes per second.",
        "Die Platte liest mit 370 Megabyte pro Sekunde.",
        "Le disque lit à 370 mégaoctets par seconde.",
        "El disco lee a 370 megabytes por segundo.",
        "Disk odczytuje 370 megabajtów na sekundę.",
        "Disk čte 370 megabajtů za sekundu.",
        "Диск читает 370 мегабайт в секунду.",
        "Disken läser 370 MB i sekunden.",
        "Disk saniyede 370 MB okuyor.",
        "硬盘读取每秒370MB。",
        "读取速度只有370兆每秒。",
        "读取速度只有370MB。",
        "読み込みは毎秒370MBでした。",
        "読み込みは370メガバイト毎秒。",
        "읽기는 초당 370MB가 나왔습니다.",
        "Ổ cứng đọc được 370 MB mỗi giây.",
        "The read speed is only 370 MB.",
        "Tenho 370 MB/s ao ler.",
        "Riesco a leggere a 370 MB/s.",
        "Dokážu číst 370 MB/s.",
        "Jag kan läsa med 370 MB/s från min NAS.",
    ],
)
def test_a_rate_is_read_however_it_is_spelled(text: str) -> None:
    assert rates(text) == [("read", 370.0)]


def test_between_two_drives_a_copy_has_no_direction() -> None:
    assert rates("I copied a file from one USB drive to the NAS: 38 MB/s.") == []
    assert rates("I copied a file from the USB drive to another: 38 MB/s.") == []
    assert rates("I copied a file from the USB drive: 38 MB/s.") == [("read", 38.0)]


@pytest.mark.parametrize(
    "text",
    [
        "The drive does about 110 MB/s in both directions.",
        "In beide Richtungen messe ich auf der Platte rund 110 MB/s.",
        "Le disque tourne à 110 Mo/s dans les deux sens.",
        "El disco da 110 MB/s tanto en lectura como en escritura.",
        "Il disco va a 110 MB/s sia in lettura che in scrittura.",
        "O SSD faz 110 MB/s tanto na leitura quanto na escrita.",
        "Диск выдаёт по 110 МБ/с и на чтение, и на запись.",
        "Dysk wyciąga 110 MB/s zarówno przy odczycie, jak i zapisie.",
        "这块盘读写都在110MB/s左右。",
        "読み書きともに約110MB/s出ています。",
    ],
)
def test_one_rate_may_be_of_both_directions(text: str) -> None:
    assert sorted(rates(text)) == [("read", 110.0), ("write", 110.0)]


@pytest.mark.parametrize(
    "text",
    [
        "Writes to the array started at 110 MB/s. After an hour they had fallen to 25 MB/s.",
        "Write speed on the ext4 partition is around 110 MB/s. With NTFS it is only 25 MB/s.",
        "Die Schreibrate lag vor dem Update bei 110 MB/s. Jetzt sind es noch 25 MB/s.",
        "L'écriture sur la clé plafonne à 110 Mo/s. Avec une autre clé je passe à 25 Mo/s.",
        "La velocidad de escritura era de 110 MB/s. Después de actualizar bajó a 25 MB/s.",
        "La velocità di scrittura era di 110 MB/s. Dopo l'aggiornamento è scesa a 25 MB/s.",
        "Przed aktualizacją zapis wynosił 110 MB/s. Teraz jest tylko 25 MB/s.",
        "Rychlost zápisu byla 110 MB/s. Po aktualizaci klesla na 25 MB/s.",
        "Скорость записи была 110 МБ/с. После обновления упала до 25 МБ/с.",
        "Швидкість запису була 110 МБ/с. Після оновлення впала до 25 МБ/с.",
        "Yazma hızı önce 110 MB/s idi. Güncellemeden sonra 25 MB/s'ye düştü.",
        "書き込み速度は最初110MB/s出ていました。しばらくすると25MB/sまで落ちました。",
        "쓰기 속도가 처음엔 110MB/s였습니다. 업데이트 후에는 25MB/s로 떨어졌습니다.",
        "De schrijfsnelheid was eerst 110 MB/s. Na de update is dat nog maar 25 MB/s.",
        "Skrivhastigheten var 110 MB/s. Efter uppdateringen sjönk den till 25 MB/s.",
    ],
)
def test_the_next_sentence_goes_on_with_the_direction(text: str) -> None:
    assert rates(text) == [("write", 110.0), ("write", 25.0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm writing to an SD card over SPI.\nWith the default clock I only get 180 KB/s.", [("write", 0.18)]),
        ("I ran a sequential read test on the pool.\nOnly got 620 MB/s there.", [("read", 620.0)]),
        ("I have read the manual of the drive.\nI only get 62 MB/s.", []),
        ("Write speed is 60 MB/s on that share. On the network I get 112 MB/s.", [("write", 60.0)]),
        (
            "It is best in reading and writing over the new port. We saw 1670 MB/s and 1720 MB/s respectively.",
            [("read", 1670.0), ("write", 1720.0)],
        ),
        ("Reading it back is around 8 MB/s, four times slower than writing.", [("read", 8.0)]),
        ("Backing up to the SMB share I only get about 5 MB/s.", [("write", 5.0)]),
        (
            "The runs gave 60k IOPS randwrite for the guest and 95k for the host.",
            [("randwrite", 6e4), ("randwrite", 9.5e4)],
        ),
        (
            "With SMB it gives 590 MB/s read and 240 MB/s write over the cable. With NFS over the cable of the lab it "
            "gives 590 MB/s read and 240 MB/s write.",
            [("read", 590.0), ("write", 240.0), ("read", 590.0), ("write", 240.0)],
        ),
        (
            "Linux 5.15: 1.3 GB/s sequential reads on the pool. Linux 6.1: 2.0 GB/s.",
            [("read", 1300.0), ("read", 2000.0)],
        ),
        ("The download ended at 40 MB/s but extracting it wrote only 12 MB/s to disk.", [("write", 12.0)]),
        ("Version 2.2 vs 2.1: 4k randwrite IOPS are up.", []),
        ("The write speed went down to 210 MB/s (reading is still at 380).", [("write", 210.0), ("read", 380.0)]),
    ],
)
def test_what_was_done_is_told_above(text: str, expected: list[tuple[str, float]]) -> None:
    assert rates(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Wenn ich vom PC auf das NAS kopiere, sind es 35 MB/s, vom NAS auf den PC 95 MB/s.",
        "Na cópia do PC para o pendrive obtive 35 MB/s; do pendrive para o PC, 95 MB/s.",
        "Kopiëren naar de NAS gaat met 35 MB/s, van de NAS naar de pc met 95 MB/s.",
        "Kopírování na NAS jede 35 MB/s, z NASu do počítače 95 MB/s.",
        "Копіювання на флешку йде на швидкості 35 МБ/с, з флешки на комп'ютер — 95 МБ/с.",
        "NAS'a dosya kopyalarken 35 MB/s alıyorum, NAS'tan bilgisayara 95 MB/s.",
        "从电脑往U盘里拷文件只有35MB/s，从U盘拷到电脑有95MB/s。",
        "PCからNASへのコピーは35MB/s、NASからPCへは95MB/sでした。",
        "Copying a file to the NAS runs at 35 MB/s, copying it back at 95 MB/s.",
    ],
)
def test_each_way_of_a_copy_is_told_by_its_ends(text: str) -> None:
    assert rates(text) == [("write", 35.0), ("read", 95.0)]


def test_a_size_that_was_told_before_yields_to_one_behind() -> None:
    found = paste.read("Random reads reach 5k IOPS at queue depth one but 52k IOPS at queue depth 32.")
    assert [(each.iops, each.queue_depth) for each in found] == [(5000.0, 1), (52000.0, 32)]
