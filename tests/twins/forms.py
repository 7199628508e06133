"""The usual forms of tables, lists and sentences, made by the hundred: what each says is known by construction.

Twins keep the layouts that people made; these are the plain ones, in all combinations: marks and separators, units in
heads or in cells, thousands with commas or a "k", tests as rows or as columns, quantities as rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from radoscope.records.measurement import Result

_M = 1 << 20
_BYTES = {"KiB/s": 1024.0, "MB/s": 1e6, "MiB/s": float(_M), "GB/s": 1e9}
_SECONDS = {"ms": 1e-3, "us": 1e-6, "µs": 1e-6}


class Said(NamedTuple):
    """op, bytes of a block, depth, IOPS, bytes/s, seconds: the mean and the 99th percentile."""

    op: str
    block: int | None
    depth: int | None
    iops: float | None = None
    bandwidth: float | None = None
    mean: float | None = None
    p99: float | None = None


class Form(NamedTuple):
    """A page and what it says. name: of its layout."""

    name: str
    text: str
    truth: frozenset[Said]


def said_of(result: Result) -> Said:
    """As Said, to the digits that a page has."""
    latency = result.latency
    points = latency.percentiles_s if latency else {}
    found = (result.iops, result.bandwidth_bytes_per_s, latency.mean_s if latency else None, points.get(99.0))
    return _rounded(Said(result.op or "", result.block_bytes, result.queue_depth, *found))


def _rounded(said: Said) -> Said:
    return Said(*said[:3], *(None if each is None else float(f"{each:.6g}") for each in said[3:]))


def _bars(rows: Sequence[Sequence[str]]) -> str:
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join((head, "|" + "---|" * len(rows[0]), *body))


def _tabs(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(map("\t".join, rows))


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (zip(row, widths, strict=True) for row in rows)
    return "\n".join("  ".join(cell.ljust(width) for cell, width in line).rstrip() for line in lines)


def _commas(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows)


_LAYOUTS: Mapping[str, Callable[[Sequence[Sequence[str]]], str]] = {
    "bars": _bars, "tabs": _tabs, "columns": _columns, "commas": _commas,
}  # fmt: skip
_TESTS = {
    "4k random read": ("randread", 4096, None), "4K random write QD32": ("randwrite", 4096, 32),
    "randread 4k": ("randread", 4096, None), "randwrite-4k-qd1": ("randwrite", 4096, 1),
    "Random Read 4KiB (QD=16)": ("randread", 4096, 16), "rand-write 4k, iodepth 8": ("randwrite", 4096, 8),
    "Seq read 1M": ("read", _M, None), "Sequential Write (1 MiB)": ("write", _M, None),
    "seqread_1m_q8": ("read", _M, 8), "1M seq write T1Q8": ("write", _M, 8),
}  # fmt: skip
_HEADS: Mapping[str, Callable[[str, str], str]] = {
    "name (unit)": lambda name, unit: f"{name} ({unit})", "name [unit]": lambda name, unit: f"{name} [{unit}]",
    "name, unit": lambda name, unit: f"{name}, {unit}", "name unit": lambda name, unit: f"{name} {unit}",
}  # fmt: skip
_MEANS = (("Latency", "ms"), ("Avg latency", "µs"), ("lat avg", "us"), ("Mean lat", "ms"))
_POINTS = (("p99", "ms"), ("99th percentile", "ms"), ("P99 latency", "us"), ("lat p99", "ms"))
_RATES = (("Bandwidth", "MB/s"), ("BW", "MiB/s"), ("Throughput", "GB/s"), ("Speed", "MB/s"), ("BW", "KiB/s"))
_PLACES = ("local ZFS", "Ceph 3x", "Ceph EC 4+2", "node-1", "NVMe mirror", "pool b (raidz2)", "SATA SSD", "iSCSI")


class _Dice(random.Random):
    def count(self) -> tuple[str, float]:
        """As somebody writes it, and what it says."""
        number = self.randrange(300, 99_000)
        if self.style == "k":
            return f"{number / 1000:.1f}k", round(number / 1000, 1) * 1000
        return f"{number:,}" if self.style == "comma" else str(number), number

    style: str = ""


def tables(number: int, seed: int) -> Iterator[Form]:
    """Tests as rows, quantities as columns."""
    dice = _Dice(seed)
    for _ in range(number):
        layout, dice.style = dice.choice(list(_LAYOUTS)), dice.choice(("plain", "comma", "k"))
        head, in_cells = dice.choice(list(_HEADS)), dice.random() < 0.3
        rate = dice.choice(_RATES)
        mean, point = dice.choice(_MEANS), dice.choice(_POINTS)
        asked = dice.choice((("iops",), ("rate",), ("iops", "rate"), ("iops", "mean"), ("iops", "point"),
                             ("iops", "rate", "mean", "point")))  # fmt: skip
        named = {"iops": ("IOPS", ""), "rate": rate, "mean": mean, "point": point}
        heads = [
            name if in_cells or not unit else _HEADS[head](name, unit) for name, unit in (named[each] for each in asked)
        ]
        rows, truth = [], []
        for test in dice.sample(list(_TESTS), 3):
            cells, said = [test], Said(*_TESTS[test])
            for quantity in asked:
                unit = named[quantity][1]
                if quantity == "iops":
                    text, value = dice.count()
                    said = said._replace(iops=value)
                elif quantity == "rate":
                    whole = said.iops * (said.block or 1) if said.iops else dice.randrange(20, 3000) * _BYTES["MB/s"]
                    text = (
                        f"{whole / _BYTES[unit]:.4g}" if whole / _BYTES[unit] < 1e4 else f"{whole / _BYTES[unit]:.0f}"
                    )
                    said = said._replace(bandwidth=float(text) * _BYTES[unit])
                else:
                    text = f"{dice.randrange(20, 900) / 10}" if unit == "ms" else str(dice.randrange(90, 9000))
                    time = float(text) * _SECONDS[unit]
                    said = said._replace(mean=time) if quantity == "mean" else said._replace(p99=time)
                cells.append(f"{text} {unit}".strip() if in_cells else text)
            rows.append(cells)
            truth.append(_rounded(said))
        text = _LAYOUTS[layout]([["Test", *heads], *rows])
        yield Form(f"{layout}, {head}, {dice.style}, {'cells' if in_cells else 'heads'}", text, frozenset(truth))


def transposed(number: int, seed: int) -> Iterator[Form]:
    """Quantities as rows, machines as columns, the test in a caption."""
    dice = _Dice(seed)
    captions = {
        "4k random read, QD32": ("randread", 4096, 32), "Random write 4K (iodepth=16)": ("randwrite", 4096, 16),
        "Sequential read, 1M blocks": ("read", _M, None), "### 4K random read": ("randread", 4096, None),
        "fio --rw=randwrite --bs=4k --iodepth=8": ("randwrite", 4096, 8), "**Seq write 1M QD8**": ("write", _M, 8),
    }  # fmt: skip
    for _ in range(number):
        caption, dice.style = dice.choice(list(captions)), dice.choice(("plain", "comma", "k"))
        layout, places, in_cells = dice.choice(list(_LAYOUTS)), dice.sample(_PLACES, 3), dice.random() < 0.5
        counts = [dice.count() for _ in places]
        means = [dice.randrange(2, 900) / 10 for _ in places]
        unit, behind = ("", " ms") if in_cells else (" (ms)", "")
        rows = [
            ["Metric", *places],
            ["IOPS", *(text for text, _ in counts)],
            [dice.choice(("Avg latency", "Mean latency")) + unit, *(f"{each}{behind}" for each in means)],
            [
                dice.choice(("p99", "P99 latency", "99th percentile")) + unit,
                *(f"{2 * each:g}{behind}" for each in means),
            ],
        ]
        each = zip(counts, means, strict=True)
        truth = (Said(*captions[caption], value, None, mean / 1e3, 2 * mean / 1e3) for (_, value), mean in each)
        text = f"{caption}\n\n{_LAYOUTS[layout](rows)}"
        yield Form(f"{layout}, {caption}, {dice.style}", text, frozenset(map(_rounded, truth)))


def pairs(number: int, seed: int) -> Iterator[Form]:
    """Reads and writes in one cell."""
    dice = _Dice(seed)
    both, turned = ("read", "write"), ("write", "read")
    heads = {
        "4k random read/write IOPS": (("randread", "randwrite"), 4096), "R/W IOPS": (both, None),
        "rand 4k r/w (IOPS)": (("randread", "randwrite"), 4096), "IOPS (read/write)": (both, None),
        "Write/Read IOPS": (turned, None), "IOPS (W/R)": (turned, None),
    }  # fmt: skip
    for _ in range(number):
        head, dice.style = dice.choice(list(heads)), dice.choice(("plain", "comma", "k"))
        layout, sign = dice.choice(("bars", "tabs", "columns")), dice.choice((" / ", "/"))
        rows, truth = [["Storage", head]], []
        for place in dice.sample(_PLACES, 3):
            first, second = dice.count(), dice.count()
            rows.append([place, first[0] + sign + second[0]])
            ops, block = heads[head]
            truth += [Said(op, block, None, each[1]) for op, each in zip(ops, (first, second), strict=True)]
        yield Form(f"{layout}, {head}, {sign}, {dice.style}", _LAYOUTS[layout](rows), frozenset(map(_rounded, truth)))


def lists(number: int, seed: int) -> Iterator[Form]:
    """Items with a test and what came of it; two in a sentence; one before and after."""
    dice = _Dice(seed)
    tests = {
        "4k random reads": ("randread", 4096, None), "4K random writes": ("randwrite", 4096, None),
        "sequential reads": ("read", None, None), "sequential writes": ("write", None, None),
    }  # fmt: skip
    items = ("- {}: {}", "* {} - {}", "{}: {}", "- **{}**: {}", "{} = {}", "- {} → {}", "- {}: **{}**", "• {} – {}")
    alone = ("We get {v} for {t}.", "{T} reach {v}.", "fio reports {v} for {t}.", "{T} top out at {v}.")
    changes = (
        "{T} went from {v} to {w}.",
        "{T}: {v} before, {w} after.",
        "{T} dropped from {v} to {w}.",
        "{T}: {v} -> {w}",
    )
    for _ in range(number):
        dice.style = dice.choice(("plain", "comma", "k"))
        (test, load), (other, of_other) = dice.sample(list(tests.items()), 2)
        item, one, change = dice.choice(items), dice.choice(alone), dice.choice(changes)
        first, second = dice.count(), dice.count()
        v, w, names = f"{first[0]} IOPS", f"{second[0]} IOPS", {"t": test, "T": test[0].upper() + test[1:]}
        here, there = _rounded(Said(*load, first[1])), _rounded(Said(*of_other, second[1]))
        yield Form(item, f"fio results:\n\n{item.format(test, v)}\n{item.format(other, w)}", frozenset({here, there}))
        yield Form(one, one.format(v=v, **names), frozenset({here}))
        yield Form(change, change.format(v=v, w=w, **names), frozenset({here, _rounded(Said(*load, second[1]))}))


def in_turn(number: int, seed: int) -> Iterator[Form]:
    """Sentences that tell several results, each with a test of its own or with what is told once for all."""
    dice = _Dice(seed)
    tests = (("4k random reads", "randread", 4096), ("16k random writes", "randwrite", 16384),
             ("1M sequential reads", "read", _M), ("1M sequential writes", "write", _M))  # fmt: skip
    each = (
        "{T} reach {v} and {u} reach {w}.",
        "{T} give {v}, while {u} give {w}.",
        "I get {v} for {t} and {w} for {u}.",
    )
    depths = (
        "{T} give {v} at QD1 and {w} at QD32.",
        "{T} at QD1 give {v}, at QD32 {w}.",
        "At QD1 we see {v}, at QD32 {w} ({t}).",
    )
    places = ("{T} gave {v} on the SATA SSD and {w} on the local NVMe.", "{T}: {v} on pool a vs {w} on pool b.")
    times = (
        "{T} reach {v} at {m} ms.",
        "{T}: {v} ({m} ms average, {p} ms p99).",
        "{v}, {m} ms for {t}.",
        "{T} come to {v} with a mean latency of {m} ms and a p99 of {p} ms.",
    )
    for _ in range(number):
        dice.style = dice.choice(("plain", "comma", "k"))
        (test, op, block), (other, of_other, its_block) = dice.sample(tests, 2)
        first, second = dice.count(), dice.count()
        mean = dice.randrange(2, 90) / 10
        words = {
            "t": test, "T": test[0].upper() + test[1:], "u": other, "v": f"{first[0]} IOPS", "w": f"{second[0]} IOPS",
            "m": f"{mean:g}", "p": f"{3 * mean:g}",
        }  # fmt: skip
        kind = dice.choice((each, depths, places, times))
        form = dice.choice(kind)
        one, two = Said(op, block, None, first[1]), Said(op, block, None, second[1])
        if kind is each:
            two = Said(of_other, its_block, None, second[1])
        elif kind is depths:
            one, two = one._replace(depth=1), two._replace(depth=32)
        elif kind is times:
            one = one._replace(mean=mean / 1e3, p99=3 * mean / 1e3 if "{p}" in form else None)
        truth = frozenset(map(_rounded, (one,) if kind is times else (one, two)))
        yield Form(form, form.format(**words), truth)


_WORDS: Mapping[str, tuple[str, str, str, str, str, str, str]] = {
    "de": ("zufälliges Lesen", "zufälliges Schreiben", "Sequentielles Lesen", "Durchsatz", "mittlere Latenz", ",", "."),
    "fr": ("lecture aléatoire", "écriture aléatoire", "Lecture séquentielle", "Débit", "Latence moyenne", ",", " "),
    "es": ("lectura aleatoria", "escritura aleatoria", "Lectura secuencial", "Velocidad", "Latencia media", ",", "."),
    "it": ("lettura casuale", "scrittura casuale", "Lettura sequenziale", "Velocità", "Latenza media", ",", "."),
    "pt": ("leitura aleatória", "escrita aleatória", "Leitura sequencial", "Velocidade", "Latência média", ",", "."),
    "pl": ("odczyt losowy", "zapis losowy", "Odczyt sekwencyjny", "Przepustowość", "Średnie opóźnienie", ",", " "),
    "cs": ("náhodné čtení", "náhodný zápis", "Sekvenční čtení", "Propustnost", "Průměrná latence", ",", " "),
    "ru": ("случайное чтение", "случайная запись", "Последовательное чтение", "Скорость", "Средняя задержка", ",", " "),
    "uk": ("випадкове читання", "випадковий запис", "Послідовне читання", "Швидкість", "Затримка", ",", " "),
    "sv": ("slumpmässig läsning", "slumpmässig skrivning", "Sekventiell läsning", "Hastighet", "Latens", ",", " "),
    "tr": ("rastgele okuma", "rastgele yazma", "Sıralı okuma", "Hız", "Ortalama gecikme", ",", "."),
    "zh": ("随机读", "随机写", "顺序读", "带宽", "平均延迟", ".", ","),
    "ja": ("ランダムリード", "ランダムライト", "シーケンシャルリード", "スループット", "平均レイテンシ", ".", ","),
    "ko": ("랜덤 읽기", "랜덤 쓰기", "순차 읽기", "대역폭", "평균 지연", ".", ","),
}
"""Language -> random read, random write, sequential read, bandwidth, mean latency; signs for decimals and thousands."""


def abroad(number: int, seed: int) -> Iterator[Form]:
    """Tables and lists in other languages, numbers as they are written there."""
    dice = random.Random(seed)
    for _ in range(number):
        language = dice.choice(list(_WORDS))
        *tests, rate, time, point, thousands = _WORDS[language]
        thousands = dice.choice((thousands, ""))

        def written(value: float, of: tuple[str, str] = (point, thousands)) -> str:
            marks = str.maketrans({",": of[1], ".": of[0]})
            return f"{value:,.1f}".removesuffix(".0").translate(marks)

        loads = (("randread", 4096), ("randwrite", 4096), ("read", None))
        names = (f"4k {tests[0]}", f"4k {tests[1]}", tests[2])
        asked = dice.choice(("rate", "count and time"))
        heads, rows, truth, lines = ["Test"], [], [], []
        heads += [f"{rate} (MB/s)"] if asked == "rate" else ["IOPS", f"{time} (ms)"]
        for name, load in zip(names, loads, strict=True):
            if asked == "rate":
                value = dice.randrange(1100, 39_000) / 10
                cells, said = [written(value)], Said(*load, None, None, value * 1e6)
                lines.append(f"- {name}: {written(value)} MB/s")
            else:
                count, mean = dice.randrange(1100, 99_000), dice.randrange(11, 900) / 10
                cells, said = [written(count), written(mean)], Said(*load, None, count, None, mean / 1e3)
                lines.append(f"- {name}: {written(count)} IOPS, {written(mean)} ms")
            rows.append([name, *cells])
            truth.append(_rounded(said))
        layout = dice.choice(("bars", "tabs", "columns", "list"))
        text = "fio:\n\n" + "\n".join(lines) if layout == "list" else _LAYOUTS[layout]([heads, *rows])
        yield Form(f"{language}, {layout}, {asked}", text, frozenset(truth))
