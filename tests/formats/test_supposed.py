"""Numbers that nobody measured are told from the measured ones of the same sentence."""

from __future__ import annotations

import re

import pytest

from radoscope.formats.supposed import without_supposed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The drives are rated for 550 MB/s; in reality a write reaches 310 MB/s.", ["310 MB/s"]),
        ("Reads run at 111 MB/s, so I think the link is the limit.", ["111 MB/s"]),
        ("I get 92 MB/s over a 1 GbE link.", ["92 MB/s"]),
        ("We need at least 20k random write IOPS.", []),
        ("It does not reach 10k IOPS.", []),
        ("Would 2.5 GbE bring 250 MB/s?", []),
        ("Writes are faster by 300 MB/s now: 900 MB/s.", ["900 MB/s"]),
        ("标称读7000MB/s、写3900MB/s", []),
        ("The reads go up to 402 kIOPS.", ["402 kIOPS"]),
        ("순차 쓰기는 제조사 스펙(3,200 MB/s)에 가깝습니다.", []),
        ("client: 12 MiB/s rd, 4 MiB/s wr", []),
        ("The array is loaded with more than 2 GB/s.", ["2 GB/s"]),
        ("I never saw more than 130 MB/s write.", []),
        ("Why do I only get 14 MB/s on writes?", ["14 MB/s"]),
        ("Could it reach 300 MB/s on writes?", []),
        ("With NVMe (2 GB/s) ~50 s, with a disk (160 MB/s) ~640 s.", []),
        ("PCIe Gen4 实测写入 3.1GB/s。", ["3.1GB/s"]),
    ],
)
def test_only_what_was_measured_stays_legible(text: str, left: list[str]) -> None:
    assert re.findall(r"\d[\d.]*k? ?(?:[MG]B/s|MiB/s|k?IOPS)", without_supposed(text)) == left


@pytest.mark.parametrize(
    "text",
    [
        "Die Karte kann bis 170 MB/s lesen und 80 MB/s schreiben.",
        "La clé va jusqu'à 410 MB/s en lecture.",
        "La scheda legge fino a 95 MB/s.",
        "Prędkość do 540 MB/s odczytu i 510 MB/s zapisu.",
        "Rychlost čtení až 3400 MB/s, zápis až 2900 MB/s.",
        "Скорость чтения до 520 MB/s.",
        "Läsning upp till 550 MB/s.",
        "Sådana kort anges ofta med läshastigheter på 95 MB/s.",
        "5000 MB/s okuma hızı vadeden bir SSD aldım.",
        "Okuma hızı 6900 MB/s'ye kadar.",
        "Tốc độ đọc lên đến 540 MB/s.",
        "書き込み4,900MB/sまで対応。",
        "Modern SATA SSDs write around 480 MB/s.",
        "With reads of 7200 MB/s and writes of 6800 MB/s, it is the fastest drive of its maker.",
        "At 30 MB/s of writes the card is full in 9 minutes.",
        "Any drive faster than 310 MB/s makes it fail.",
        "I flashed an SSD with 310 MB/s writes.",
        "- SSD M.2 480GB (3300 MB/s read x 1200 MB/s write)",
        "Dysk: SSD 256GB, odczyt 520 MB/s, zapis 450 MB/s",
        "Odczyt 3400 MB/s, zapis 2900 MB/s, gwarancja 5 lat.",
    ],
)
def test_what_a_product_is_said_to_reach_nobody_measured(text: str) -> None:
    assert not re.findall(r"\d ?[MG]B/s", without_supposed(text))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I copy to the share with up to 85 MB/s.", ["85 MB/s"]),
        ("Beim Schreiben komme ich auf bis zu 105 MB/s.", ["105 MB/s"]),
        ("Скорость записи упала до 14 MB/s.", ["14 MB/s"]),
        ("Zápis klesl ze 105 MB/s až na 14 MB/s.", ["105 MB/s", "14 MB/s"]),
        ("They do 210 MB/s of sequential writes.", ["210 MB/s"]),
        ("El fabricante promete 550 MB/s, yo obtengo 400 MB/s.", ["400 MB/s"]),
        ("Writes at 41 MB/s instead of 110 MB/s.", ["41 MB/s"]),
        ("Schreibt 41 MB/s statt 7 MB/s vorher.", ["41 MB/s", "7 MB/s"]),
        ("4x 1TB SSD, raidz1: w=1010 MB/s, r=1600 MB/s", ["1010 MB/s", "1600 MB/s"]),
    ],
)
def test_what_somebody_saw_stays_whatever_word_leads_to_it(text: str, left: list[str]) -> None:
    assert re.findall(r"\d+ ?[MG]B/s", without_supposed(text)) == left
