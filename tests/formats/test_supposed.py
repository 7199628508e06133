"""Numbers that nobody measured are told from the measured ones of the same sentence."""

from __future__ import annotations

import re

import pytest

from radoscope.archives import paste
from radoscope.formats.context.supposed import without_supposed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The drives are rated for 550 MB/s; in reality a write reaches 310 MB/s.", ["310 MB/s"]),
        ("Reads run at 111 MB/s, so I think the link is the limit.", ["111 MB/s"]),
        ("I get 92 MB/s over a 1 GbE link.", ["92 MB/s"]),
        ("We need at least 20k random write IOPS.", []),
        ("It does not reach 10k IOPS.", []),
        ("It is far from 500 MB/s write.", []),
        ("There is no way to get 480 MB/s write out of it.", []),
        ("We are far from done, but random read is at 12.4k IOPS, so far 90 MB/s of it", ["12.4k IOPS", "90 MB/s"]),
        ("Es erreicht nie 500 MB/s lesend, sondern nur 90 MB/s.", ["90 MB/s"]),
        ("On est loin des 500 MB/s en écriture.", []),
        ("Nunca llega a 500 MB/s de escritura.", []),
        ("写入达不到 500 MB/s。", []),
        ("書き込みは 500 MB/s に届かない。", []),
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
        ("It can only write 64 MB/s.", ["64 MB/s"]),
        ("The old box could barely sustain 900 IOPS.", ["900 IOPS"]),
        ("When reading it can reach 95 MB/s, when writing it can only get 41 MB/s.", ["95 MB/s", "41 MB/s"]),
        ("Writes hit >350 MB/s on flash and <30 MB/s on disks.", ["350 MB/s", "30 MB/s"]),
        ("I can't get more than 62 MB/s out of it.", ["62 MB/s"]),
        ("Rated for 550 MB/s, mine only managed 310 MB/s.", ["310 MB/s"]),
        ("The stick (specified at 150 MB/s) wrote the image at 22 MB/s.", ["22 MB/s"]),
        ("Reads reach 96 MB/s instead of the promised 150 MB/s.", ["96 MB/s"]),
        ("Statt der versprochenen 500 MB/s schreibt sie 120 MB/s.", ["120 MB/s"]),
        ("Üretici 500 MB/s vaat ediyor ama ben sadece 320 MB/s alıyorum.", ["320 MB/s"]),
        ("Tillverkaren lovar 500 MB/s, men jag får bara 320 MB/s.", ["320 MB/s"]),
        ("De fabrikant belooft 500 MB/s, maar ik haal slechts 320 MB/s.", ["320 MB/s"]),
        ("Advertised with 170 MB/s, h2testw shows 61 MB/s.", ["61 MB/s"]),
        ("My laptop has an SSD (NVMe, PCIe 3.0, 3300 MB/s read).", []),
        ("It can receive data at 109 MB/s over ethernet.", []),
        ("The maker talks of 100 MB/s, my copy ran at 23 MB/s.", ["23 MB/s"]),
        ("Заявлено 3500 MB/s, по факту чтение 2900 MB/s.", ["2900 MB/s"]),
        ("It writes 62 MB/s and should be as fast as the disk.", ["62 MB/s"]),
        ("I can maximum write 350 MB/s over NFS.", ["350 MB/s"]),
        ("Schreiben 21 MB/s, ist das normal?", ["21 MB/s"]),
        ("grava a 21 MB/s, é normal?", ["21 MB/s"]),
        ("Zapis 21 MB/s, czy to normalne?", ["21 MB/s"]),
        ("запис 21 MB/s, це нормально?", ["21 MB/s"]),
        ("書込21MB/sですが、こんなもんですか？", ["21MB/s"]),
        ("쓰기 21MB/s 나오는데 정상인가요?", ["21MB/s"]),
        ("Can it write 60 MB/s, is that realistic?", []),
        ("Würde sie 60 MB/s schreiben, was meint ihr?", []),
        ("I've read that such drives do 3 GB/s, but mine does 900 MB/s.", ["900 MB/s"]),
        ("Limited to 300 MB/s, so reads top out at 265 MB/s.", ["265 MB/s"]),
        ("I only get 21 MB/s, how do I reach 90 MB/s?", ["21 MB/s"]),
    ],
)
def test_only_what_was_measured_stays_legible(text: str, left: list[str]) -> None:
    assert re.findall(r"\d[\d.]*k? ?(?:[MG]B/s|MiB/s|k?IOPS)", without_supposed(text)) == left


@pytest.mark.parametrize(
    "text",
    [
        "Die Karte kann bis 170 MB/s lesen und 80 MB/s schreiben.",
        "SSD'ler genellikle 540 MB/s okuma hızına ulaşır.",
        "Dyski SATA osiągają przeciętnie 540 MB/s odczytu.",
        "Скорость чтения современных SSD в среднем достигает 540 MB/s.",
        "Швидкість читання на накопичувачах у середньому сягає 540 MB/s.",
        "Gli SSD NVMe raggiungono in media 3400 MB/s in lettura.",
        "一般的SATA固态硬盘读取速度在540MB/s左右。",
        "Eine aktuelle Festplatte liest mit etwa 190 MB/s.",
        "Gut wären 400 MB/s beim Lesen.",
        "Servirebbero almeno 90 MB/s in scrittura.",
        "Kortet måste klara minst 30 MB/s skrivning.",
        "Volgens de fabrikant leest de SSD met 560 MB/s.",
        "За даними виробника, диск пише 520 MB/s.",
        "Theo nhà sản xuất, ổ đọc 560 MB/s.",
        "Cần thẻ nhớ ghi tối thiểu 90 MB/s.",
        "Üreticiye göre disk 560 MB/s okuma hızına sahip.",
        "Comptez 150 MB/s en lecture pour un disque mécanique.",
        "Ogni istanza può scrivere 50 MB/s.",
        "Cada fragmento admite 2 MB/s de escritura.",
        "Szukam karty, która zapisuje 60 MB/s.",
        "書き込み60MB/sのカードを探しています。",
        "쓰기 60MB/s짜리 카드입니다.",
        "Si el disco escribe a 100 MB/s, tardará 10 minutos.",
        "При скорости записи 100 MB/s копирование займёт 10 минут.",
        "2400 MB/s'ye varan okuma hızı.",
        "Je serais content avec 80 MB/s en écriture.",
        "Mi accontenterei di 80 MB/s in scrittura.",
        "Byłbym zadowolony z 80 MB/s zapisu.",
        "Jag skulle vara nöjd med 80 MB/s skrivning.",
        "要是写入能到80MB/s我就满足了。",
        "쓰기가 80MB/s만 나와도 좋겠습니다.",
        "The service takes 500 requests/s and 6 MB/s of writes.",
        "It pushed 3 MB/s of writes with the disk queue at zero.",
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


@pytest.mark.parametrize(
    "text",
    [
        "The data sheet lists both speeds of the new model. Its reads reach 7,000 MB/s against 5,100 MB/s for writes.",
        "La fiche technique annonce la couleur du disque. Les lectures atteignent 7 000 Mo/s, les écritures 5 Go/s.",
        "SHA-256 runs at 1.2 GB/s on this processor, so hashing is not the limit of reading.",
    ],
)
def test_what_a_data_sheet_goes_on_to_say_is_not_read(text: str) -> None:
    assert paste.read(text) == ()
