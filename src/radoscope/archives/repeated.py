"""What a page says again of results that stand there themselves: a sentence about a table, a conclusion below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, filterfalse, groupby, islice, pairwise, product
from operator import itemgetter

from radoscope import patterns as re
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import text as fio_text
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.phrases import Load, heading_of, rate_factor
from radoscope.formats.grammar.quantities import digits_of
from radoscope.formats.readers import WRITTEN
from radoscope.records.measurement import Latency, Result

_WRITERS = frozenset(reader.NAME for reader in WRITTEN)
_TELLING = 100
"""Smaller numbers of operations are alike by chance."""
_REPEATED_DIGITS, _FEWEST_DIGITS, _ALL_DIGITS, _KIBI, _MEBI = 3, 2, 6, 1.024, 1.048576
_SCALES = (1.0, _KIBI, _MEBI, 1.073741824)
_ROUGHLY = re.compile(r"[~≈] ?\d")
_GIGABIT = 100e6, 125e6
"""In bytes per second: so many come through one."""
_ESTIMATED = re.compile(rf"(?:[~≈] ?|(?<![^\W\d_])(?:{words.ABOUT}) \*{{0,2}})\d", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\W*(?:so|thus|hence|therefore|in (?:short|summary)|also|somit|insgesamt|kurz|donc|bref|en résumé"
    r"|así que|en resumen|portanto|ou seja|quindi|insomma|więc|czyli|tedy|takže|итого|то есть|получается|所以|也就是"
    r"|つまり|즉|결국)(?![^\W\d_])",
    re.IGNORECASE,
)
_AMOUNT = r"[~≈]?(?P<amount>\d[\d.,]{0,12})"
_ABOUT = re.compile(rf"(?<![a-z])(?:{words.ABOUT}) ?{_AMOUNT}", re.IGNORECASE)
_OVER = re.compile(
    r"(?:\b(?:over|above|more than|exceed(?:s|ed|ing)?|über|mehr als|plus de|dépass\w+|más de|mais de|super\w{1,4}"
    rf"|oltre|più di|ponad|więcej niż|přes|více než|более|больше|свыше|выше|превы\w+)|超过|超過|突破) ?{_AMOUNT}",
    re.IGNORECASE,
)
_ENDS = ("send", "recv")
_FIO, _PAIR, _NO_CHANCE = "fio", 2, 3
_LONG_NUMBER, _NEVER_ALIKE = re.compile(r"\d[\d.,]*\d\d"), 8
_ROUNDED, _A_MOMENT = 0.01, 2e-3
_VALUE_FIRST, _CONCLUDES_WITHIN = re.compile(r"\W*\d"), 3
_BITS = re.compile(r"(?<![\d.])(?P<rate>\d{1,6}(?:\.\d{1,3})?) (?P<unit>[KMG]bits/sec)")
_HARDLY, _CUT, _INTRODUCES, _LONG_ENOUGH, _FEW = 1e-3, 0.03, 6, 4, 4
_ITEM_OF = re.compile(r"\s*[-*•]\s+[*`]{0,2}(?P<name>/[\w./-]{2,40}|[^\W\d][\w-]{0,20}\d{1,3})(?![\w/.-])")
_CONNECTED = re.compile(
    r"\blocal (?P<here>\S{1,60} port \d{1,5}) connected (?:to|with) (?P<there>\S{1,60} port \d{1,5})(?!\d)"
)
_COMPARES = re.compile(
    r"\d ?[×x]\W{0,4}(?:faster|slower|as fast|quicker|more|less)|times (?:faster|slower|as fast|more|less)"
    r"|-?mal (?:so )?(?:schnell|langsam)\w*|fois plus|veces más|vezes mais|volte più|razy (?:szybci|wolnie)\w*"
    r"|раз[а]? (?:быстрее|медленнее)|倍(?:以上)?(?:快|速|慢|遅)",
    re.IGNORECASE,
)
_MOST_ALIKE = 100
"""Rows with one value in common: it tells nothing."""
_APART = 2
"""Lines from one row of a summary to the next."""
_MOST_OVER = 2.0
""" "Both reads are over 1000 MB/s", below 1,400 and 1,452."""


def without_repetition(results: Sequence[Result], lines: Sequence[str]) -> list[Result]:
    """Without what is said of a result that is there itself: a sentence about a table adds nothing to it, and a line
    that repeats one of its values rounds others as it likes: "... with 7.7 GB/s before the 6.1 GB/s of the old one"."""
    shown = _Shown(results, lines)
    by_results = (
        *(_excerpts, _pieces, _conclusions, _rows_again),
        *(_tables_again, _times_again, _summaries, _told_again, _of_terse_lines),
    )
    by_lines = (_other_ends, _servers, _said_beside, _named_again, _copies, _comparisons, _roughly_again)
    said_again = chain(*(found(results) for found in by_results), *(found(results, lines) for found in by_lines))
    again = set(map(id, (*said_again, *filter(shown.repeats, results))))
    about_them = {_place(result) for result in results if id(result) in again and _is_said(result)}
    return [
        result
        for result in results
        if not (id(result) in again or (_place(result) in about_them and shown.rounds(result)))
    ]


def _is_said(result: Result) -> bool:
    """Whether a sentence tells it, no output and no table."""
    return bool(result.extra.get("said"))


class _Shown:
    """The rates of the results that are there themselves, for those that a sentence says once more."""

    def __init__(self, results: Sequence[Result], lines: Sequence[str]) -> None:
        own = [result for result in results if not _is_said(result)]
        self._lines = lines
        self._rates = {
            (seen_as, kind, shortened, digits)
            for result in own
            for seen_as in {_seen_as(result), *([_way_of(result)] if _is_printed(result) else [])}
            for kind, rate in _rates(result)
            for each in ((rate, rate / _MEBI) if kind == "bandwidth" else (rate,))  # somebody may call MiB MB
            for digits in range(1, _REPEATED_DIGITS + 1)
            for shortened in {f"{each:.{digits}g}", *([_cut(each, digits)] if _is_printed(result) else [])}
        }
        self._passed = _rates_passed(results)
        self._whole = {each.iops: each.bandwidth_bytes_per_s or 0.0 for each in own}
        self._text = "\n".join(_line_of(result, lines) for result in own)

    def repeats(self, said: Result) -> bool:
        """Whether each of its rates is there, in as many digits as its line has, or is what its line says to be passed,
        or the bandwidth of its IOPS, rounded."""
        rates, line = list(_rates(said)), _line_of(said, self._lines)
        if not (rates and _is_said(said)) or _names_another(line, self._text):
            return False
        return all(
            self._holds(said, kind, rate, _digits_of(rate, line))
            or self._passed(said, kind, rate, line)
            or (kind == "bandwidth" and self._is_whole(said.iops, rate))
            for kind, rate in rates
        )

    def rounds(self, said: Result) -> bool:
        """Whether each of its rates is there, in the digits that it has, which are enough to tell."""
        rates = [(kind, rate, len(digits_of(rate))) for kind, rate in _rates(said)]
        return bool(rates and _is_said(said)) and all(
            digits >= _FEWEST_DIGITS and self._holds(said, kind, rate, digits) for kind, rate, digits in rates
        )

    def _holds(self, said: Result, kind: str, rate: float, digits: int) -> bool:
        return (_seen_as(said), kind, f"{rate:.{digits}g}", digits) in self._rates

    def _is_whole(self, iops: float | None, bandwidth: float) -> bool:
        return bool(iops) and iops in self._whole and _rounds_to(bandwidth, self._whole[iops])


def _rates_passed(results: Sequence[Result]) -> Callable[[Result, str, float, str], bool]:
    """Whether what a line says to be passed, or be nearly so, is a rate of a like load that is there itself."""
    shown: dict[tuple[str | None, str], set[tuple[float, tuple[int | None, ...]]]] = {}
    for each in results:
        for kind, rate in () if _is_said(each) else _rates(each):
            shown.setdefault((_seen_as(each), kind), set()).add((rate, _sizes(each)))

    def is_near(rate: float, other: float, kind: str) -> bool:
        return _is_rounded(rate, other) or (kind == "bandwidth" and _is_rounded(rate, other / _MEBI))

    def is_passed(said: Result, kind: str, rate: float, line: str) -> bool:
        is_over, is_about = _is_named(_OVER, rate, line), _is_named(_ABOUT, rate, line)
        return (is_over or is_about) and any(
            ((is_over and rate <= other <= _MOST_OVER * rate) or (is_about and is_near(rate, other, kind)))
            and _names_no_other(_sizes(said), sizes)
            for other, sizes in shown.get((_seen_as(said), kind), ())
        )

    return is_passed


def _sizes(result: Result) -> tuple[int | None, ...]:
    return result.block_bytes, result.queue_depth, result.jobs


def _is_named(pattern: re.Pattern[str], rate: float, line: str) -> bool:
    """Whether a number behind such a word has the digits of a rate."""
    return any(re.sub(r"\D", "", match["amount"]).strip("0") == digits_of(rate) for match in pattern.finditer(line))


def _is_rounded(rate: float, other: float) -> bool:
    digits = max(_FEWEST_DIGITS, len(digits_of(rate)))
    return f"{rate:.{digits}g}" == f"{other:.{digits}g}"


def _conclusions(results: Sequence[Result]) -> Iterator[Result]:
    """ "Read iops=1258" below fio's own output: to the last digit what a tool has printed, and nothing more; in a
    summary of nothing else with its block, too: "4k read 15360 KB/s" where iozone's kB are KiB."""
    printed = {
        (_way_of(result), block, kind, f"{each:.{_ALL_DIGITS}g}")
        for result in filter(_is_printed, results)
        for kind, rate in _rates(result)
        for each in ((rate, rate / _KIBI, rate / _MEBI) if kind == "bandwidth" else (rate,))
        for block in (None, result.block_bytes)
    }

    def says_again(result: Result) -> bool:
        says_more = result.latency or result.queue_depth or result.jobs
        rates = [(_way_of(result), result.block_bytes, kind, rate) for kind, rate in _rates(result)]
        rates = [each for each in rates if each[-1] >= _TELLING]
        again = ((*named, f"{rate:.{_ALL_DIGITS}g}") for *named, rate in rates)
        return bool(rates) and not says_more and printed.issuperset(again)

    written = [result for result in results if result.source and not _is_printed(result)] if printed else []
    for part in _neighbours(written):
        again = list(filter(says_again, part))
        yield from again if len(again) == len(part) else (each for each in again if each.block_bytes is None)


def _rows_again(results: Sequence[Result]) -> Iterator[Result]:
    """A table's row with both rates of what a tool printed: the IOPS to the last digit, the rest rounded or cut."""
    printed: dict[tuple[str, float | None], list[Result]] = {}
    for each in filter(_is_printed, results):
        printed.setdefault((_way_of(each), each.iops), []).append(each)
    for row in filterfalse(_is_printed, results):
        alike = printed.get((_way_of(row), row.iops), []) if row.iops else []
        if any(_is_hardly_off(row, other) and _names_no_other(_sizes(row), _sizes(other)) for other in alike):
            yield row


def _is_hardly_off(row: Result, other: Result) -> bool:
    rate, printed = row.bandwidth_bytes_per_s or 0.0, other.bandwidth_bytes_per_s or 0.0
    mean, printed_mean = (each.latency.mean_s if each.latency else None for each in (row, other))
    is_rate = rate > 0 and (math.isclose(rate, printed, rel_tol=_HARDLY) or _rounds_to(rate, printed))
    return is_rate and (mean is None or (printed_mean is not None and math.isclose(mean, printed_mean, rel_tol=_CUT)))


def _said_beside(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """ "Writes seem to reach 60 MB/s:" above the output with 60.2; "2 MB/s ... very slow" right below one."""
    ordered = sorted((each for each in results if each.source), key=_place)
    for first, other in pairwise(ordered):
        said, shown = (other, first) if _is_printed(first) else (first, other)
        line = _line_of(said, lines)
        leads = line.rstrip().endswith((":", "：")) and 0 < _place(shown) - _place(said) <= _INTRODUCES
        concludes = _VALUE_FIRST.match(line) is not None and 0 <= _place(said) - _last(shown) < _CONCLUDES_WITHIN
        if (leads if said is first else concludes) and _is_said(said) and _is_printed(shown) and _rounds(said, shown):
            yield said


def _rounds(said: Result, shown: Result) -> bool:
    """Whether its rates are the other's, in the digits that they have."""
    others = dict(_rates(shown))
    digits = [(len(digits_of(rate)), rate, others.get(kind, 0.0)) for kind, rate in _rates(said)]
    return _way_of(said) == _way_of(shown) and all(f"{a:.{n}g}" == f"{b:.{n}g}" for n, a, b in digits)


def _names_another(line: str, shown: str) -> bool:
    """Whether an item is of a path or a machine of which no other line tells: "- /mnt/b read: 141 MB/s"."""
    match = _ITEM_OF.match(line)
    return match is not None and match["name"] not in shown and heading_of(match["name"]).load == Load()


def _tables_again(results: Sequence[Result]) -> Iterator[Result]:
    """A table that another one of the page, or a list, tells with more of what was asked or of what came; of few
    values, with the same names."""
    told = [each for each in results if each.source and not _is_printed(each)]
    written = [each for each in told if not _is_said(each)]
    same: dict[tuple[object, ...], dict[tuple[_Facts, _Facts, tuple[int | None, ...], bool], None]] = {}
    for each in told:  # of thousands of rows that are alike one is looked at
        facts = frozenset(_values_of(each))
        known = facts, frozenset(_rates(each)), _sizes(each), _is_said(each)
        for op, value, label in product(_ops_of(each), facts, (None, _label_of(each))):
            same.setdefault((op, value, label), {})[known] = None

    def is_told_better(result: Result, is_named: bool) -> bool:
        own, own_rates = frozenset(_values_of(result)), frozenset(_rates(result))
        sizes, label = _sizes(result), _label_of(result) if is_named else None
        is_telling = any(len(digits_of(value)) >= _FEWEST_DIGITS for _, value in own)
        return any(
            (is_telling and own < facts)
            or (own_rates and own_rates < rates)
            or (own_rates and own_rates == rates and not is_said and others != sizes)
            for value in own
            for facts, rates, others, is_said in islice(same[result.op, value, label], _MOST_ALIKE)
            if _names_no_other(sizes, others)
        )

    for part in _neighbours(written):
        is_named = len(part) < _FEW
        if len(part) >= _PAIR and all(is_told_better(each, is_named) for each in part):
            yield from part


def _ops_of(result: Result) -> Sequence[str | None]:
    """Its operation; of one direction of a mix the mix, too, which is all that a time of it alone may name."""
    is_random = (result.op or "").startswith("rand")
    return (result.op, "randrw" if is_random else "rw") if result.extra.get("mixed") else (result.op,)


def _label_of(result: Result) -> str:
    return str(result.extra.get("label", "")).strip(" *`").lower()


def _named_again(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """ "copies-3 is close behind (36k IOPS)" of its row with 36,405: a line that names a row rounds as it likes."""
    named: dict[str, list[Result]] = {}
    for each in results:
        if not _is_said(each) and len(_label_of(each)) >= _LONG_ENOUGH:
            named.setdefault(_label_of(each), []).append(each)
    for result in results if named else ():
        line = _line_of(result, lines).lower()
        if _is_said(result) and (rates := list(_rates(result))):
            own = [each for label, of_label in named.items() if label in line for each in of_label]
            shown = {pair for each in own if _seen_as(each) == _seen_as(result) for pair in _rates(each)}
            if all(any(kind == each and _rounds_to(rate, other) for each, other in shown) for kind, rate in rates):
                yield result


def _comparisons(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """ "128K is 5.0× faster for reads (44.4 vs 8.9 MB/s)" of cells with these numbers, whatever else it names."""
    comparing = [each for each in filter(_is_said, results) if _COMPARES.search(_line_of(each, lines))]
    shown = {told for each in (results if comparing else ()) if not _is_said(each) for told in _told_rates(each)}
    for result in comparing:
        own = set(_told_rates(result))
        if own and own <= shown:
            yield result


def _told_rates(result: Result) -> Iterator[tuple[str, str, str]]:
    return ((_way_of(result), kind, f"{rate:.6g}") for kind, rate in _rates(result))


def _rounds_to(rate: float, other: float) -> bool:
    """To two digits at least, in the unit in which it was written, which is that of the fewest digits."""
    written = ((scale, f"{rate / scale:.8e}".partition("e")[0].replace(".", "").rstrip("0")) for scale in _SCALES)
    scale, digits = min(((scale, len(each)) for scale, each in written), key=itemgetter(1))
    return digits >= _FEWEST_DIGITS and f"{rate / scale:.{digits - 1}e}" == f"{other / scale:.{digits - 1}e}"


def _neighbours(results: Sequence[Result]) -> Iterator[Sequence[Result]]:
    """Those of lines right below each other."""
    part: list[Result] = []
    for result in sorted(results, key=_place):
        if part and _place(result) > _place(part[-1]) + _APART:
            yield part
            part = []
        part.append(result)
    if part:
        yield part


def _other_ends(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """ "TX: 843 Mbit/s" below an output of iperf with a line of what was sent: its result is what was received."""
    printed = {
        number * (rate_factor(match["unit"])[0] or 0.0)
        for result in results
        if result.op in _ENDS and _is_printed(result) and result.source
        for line in lines[_place(result) : result.source.last_line or 0]
        for match in _BITS.finditer(line)
        if (number := float(match["rate"]))
    }
    for result in results if printed else ():
        rate = result.bandwidth_bytes_per_s
        is_told = result.op in _ENDS and not (_is_printed(result) or result.jobs)
        if is_told and rate and any(_is_rounded(rate, other) for other in printed):
            yield result


def _servers(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """What one end of iperf printed of runs of which the other one's output stands there, too, with the same ports: of
    what was sent and what was received the first, else what the server printed."""
    ends: dict[frozenset[tuple[str, ...]], list[Result]] = {}
    for result in results:
        own = lines[_place(result) : (result.source and result.source.last_line) or 0] if result.op in _ENDS else ()
        if ports := frozenset(match.group("here", "there") for line in own for match in _CONNECTED.finditer(line)):
            ends.setdefault(ports, []).append(result)
    for ports, own_results in ends.items():
        others = ends.get(frozenset((there, here) for here, there in ports), [])
        received, too = (any(each.op == "recv" for each in each_end) for each_end in (own_results, others))
        serves = all(_port_of(here) < _port_of(there) for here, there in ports)
        if others and (serves if received == too else too):
            yield from own_results


def _port_of(end: str) -> int:
    """A server's is the smaller one."""
    return int(end.rpartition(" ")[2])


def _names_no_other(told: Sequence[int | None], sizes: Sequence[int | None]) -> bool:
    """Whether each of what is told of block, depth and jobs is what they are."""
    return all(own in (None, size) for own, size in zip(told, sizes, strict=True))


def _times_again(results: Sequence[Result]) -> Iterator[Result]:
    """ "Low read latencies (2 ms for 4K random)" of a table's row: a mean alone, and no other condition."""
    shown: dict[tuple[str | None, float | None, int | None], Result] = {
        (_seen_as(each), each.latency.mean_s, size): each
        for each in results
        if each.latency and each.latency.mean_s and any(_rates(each)) and not _is_said(each)
        for size in (None, each.block_bytes)
    }
    for result in results:
        mean = result.latency.mean_s if result.latency and _is_said(result) else None
        other = None if any(_rates(result)) else shown.get((_seen_as(result), mean, result.block_bytes))
        if other and _names_no_other(_sizes(result), _sizes(other)):
            yield result


def _summaries(results: Sequence[Result]) -> Iterator[Result]:
    """ "Read: 472 MB/s, write: 287 MB/s" in a list below another with 471.85 and 287 MB/s: each of its rates stands
    above it, and one at least is rounded."""
    told: list[Result] = []
    for part in _neighbours([each for each in results if _is_said(each)]):
        wholes = [_rounded_in(each, told) for each in part]
        if len(part) >= _PAIR and None not in wholes and wholes != [each.bandwidth_bytes_per_s for each in part]:
            yield from part
        told += part


_Key = tuple[str | None, tuple[tuple[str, float], ...]]


def _key(result: Result) -> _Key:
    return result.op, tuple(_rates(result))


def _tells_rates_alone(result: Result) -> bool:
    return not (result.latency or any(_sizes(result)))


def _told_again(results: Sequence[Result]) -> Iterator[Result]:
    """A line that tells of three results at least, each of which stands above it with the same rates, and of no other:
    chance makes no three alike."""
    told: set[_Key] = set()
    for _, part in groupby((each for each in results if _is_said(each)), key=_place):
        own = list(part)
        keys = list(map(_key, own))
        is_again = len(set(keys)) >= _NO_CHANCE and told.issuperset(keys)
        if is_again and all(map(_tells_rates_alone, own)):
            yield from own
        told.update(keys)


def _roughly_again(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """ "Writes ~27 MB/s" of a page that says "about 27 MB/s" of them before: who measures again says more than that."""
    told: set[_Key] = set()
    for each in results:
        line = " ".join(lines[_place(each) : each.source.last_line]) if each.source else ""
        if _is_said(each) and _tells_rates_alone(each) and _ESTIMATED.search(line):
            key = _key(each)
            if key in told and not any(_is_common(rate) for _, rate in key[1]):
                yield each
            told.add(key)


def _is_common(rate: float) -> bool:
    """As many estimate of another run, too: "about 50 MB/s", "about 110 MB/s" through a gigabit."""
    digits = f"{rate:.3g}".partition("e")[0].replace(".", "").strip("0")
    return len(digits) < _FEWEST_DIGITS or digits.endswith("5") or _GIGABIT[0] < rate < _GIGABIT[1]


def _rounded_in(result: Result, told: Sequence[Result]) -> float | None:
    """The bandwidth above, as somebody wrote it, that rounds to its only rate; none of another load."""
    rate = result.bandwidth_bytes_per_s
    if rate is None or result.iops is not None or result.latency or len(digits_of(rate)) < _REPEATED_DIGITS:
        return None
    for other in reversed(told):
        whole = _as_written(other.bandwidth_bytes_per_s or 0.0)
        same = other.op == result.op and _names_no_other(_sizes(result), _sizes(other))
        if same and _is_rounded(rate, whole):
            return whole
    return None


def _as_written(rate: float) -> float:
    """In bytes of MB: of MiB where these have two decimals at most."""
    in_mib = round(rate / _MEBI, -4)
    return in_mib if rate != round(rate, -4) and math.isclose(in_mib * _MEBI, rate) else rate


def _copies(results: Sequence[Result], lines: Sequence[str]) -> Iterator[Result]:
    """What stands on the page twice, letter by letter, and gives the same under the same conditions: so many numbers
    are never alike by chance."""
    seen = set()
    for part in _neighbours([result for result in results if result.source]):
        last = max(result.source.last_line or 0 for result in part if result.source)
        text = "\n".join(map(str.strip, lines[_place(part[0]) : last]))
        copied = text, tuple((result.op, *_sizes(result), *_rates(result)) for result in part)
        if copied in seen and len(_LONG_NUMBER.findall(text)) >= _NEVER_ALIKE:
            yield from part
        seen.add(copied)


def _of_terse_lines(results: Sequence[Result]) -> Iterator[Result]:
    """fio's terse lines of runs that it printed as text, too, as with `--output-format=terse,normal`."""
    told = [result for result in results if result.source and result.source.reader == fio_text.NAME]
    for result in results:
        is_terse = result.source is not None and result.source.reader == fio_terse.NAME
        if is_terse and any(_are_one_run(result, other) for other in told):
            yield result


def _are_one_run(terse: Result, told: Result) -> bool:
    """Of one name, as long, and with the same rates, which the text rounds."""
    is_named = terse.extra.get("jobname") == told.extra.get("jobname") and _way_of(terse) == _way_of(told)
    rates = zip(_rates(terse), _rates(told), strict=False)
    are_alike = [kind == other and abs(rate / value - 1) < _ROUNDED for (kind, rate), (other, value) in rates if value]
    is_as_long = abs((terse.runtime_s or 0.0) - (told.runtime_s or 0.0)) < _A_MOMENT
    return is_named and is_as_long and len(are_alike) == _PAIR and all(are_alike)


def _is_printed(result: Result) -> bool:
    """Whether a tool printed it: somebody calls its random reads reads."""
    return result.source is not None and result.source.reader not in _WRITERS


def _cut(rate: float, digits: int) -> str:
    """ "172" of 172.815, as people cut what a tool printed, and do not round it."""
    step = 10.0 ** (math.floor(math.log10(rate)) - digits + 1) if rate > 0 else 1.0
    return f"{math.floor(rate / step) * step:.{digits}g}"


def _way_of(result: Result) -> str:
    return (result.op or "").removeprefix("rand")


def _excerpts(results: Sequence[Result]) -> Iterator[Result]:
    """Times of fsync alone, where the run that they are of stands on the page, too."""
    syncs = [(result, _facts_of(result.sync)) for result in results if result.sync]
    shown: dict[_Fact, set[frozenset[_Fact]]] = {}
    for result, facts in syncs:
        for fact in facts if any(_rates(result)) else ():
            shown.setdefault(fact, set()).add(facts)
    for result, facts in syncs:
        is_alone = not (result.latency or any(_rates(result)))
        if is_alone and any(facts <= others for fact in islice(facts, 1) for others in shown.get(fact, ())):
            yield result


def _pieces(results: Sequence[Result]) -> Iterator[Result]:
    """Lines of fio that somebody has picked out of an output which stands on the page, too: the same rates and the same
    time in each of their directions, and no heading. A rate of few digits may be a limit, which each run comes to."""
    printed = [result for result in results if result.tool == _FIO and _is_printed(result)]
    whole = list(filter(_names_a_job, printed))
    shown = {(_way_of(each), *_rates(each), time) for each in whole for time in (None, each.runtime_s)}
    shown |= {(_way_of(each), rate, each.runtime_s) for each in whole for rate in _rates(each) if each.runtime_s}
    alone = sorted(filterfalse(_names_a_job, printed), key=_place) if shown else []
    for _, part in groupby(alone, key=_place):
        piece = list(part)
        is_same = all((_way_of(each), *_rates(each), each.runtime_s) in shown for each in piece)
        if is_same and all(each.extra.get("total_of_group") or _is_telling(each) for each in piece):
            yield from piece


def _names_a_job(result: Result) -> bool:
    return "jobname" in result.extra


def _is_telling(result: Result) -> bool:
    """Its rate, and its time or another rate, have digits enough that no other run has them by chance."""
    numbers = [rate for _, rate in _rates(result)] + [1000 * (result.runtime_s or 0.0)]
    return sum(len(digits_of(number)) >= _REPEATED_DIGITS for number in numbers) >= _PAIR


_Fact = tuple[str | float, float]
_Facts = frozenset[_Fact]


def _values_of(result: Result) -> Iterator[_Fact]:
    """Its rates, and its latencies but for extremes."""
    yield from _rates(result)
    yield from _facts_of(result.latency) if result.latency else ()


def _facts_of(latency: Latency) -> frozenset[_Fact]:
    """Its mean and its percentiles."""
    mean: list[_Fact] = [] if latency.mean_s is None else [("mean", latency.mean_s)]
    return frozenset([*mean, *latency.percentiles_s.items()])


def _seen_as(result: Result) -> str | None:
    """Its operation; what one end of a network sent is what somebody says that the other one received."""
    return "recv" if result.op == "send" else result.op


def _rates(result: Result) -> Iterator[tuple[str, float]]:
    if result.iops is not None:
        yield "iops", result.iops
    if result.bandwidth_bytes_per_s is not None:
        yield "bandwidth", result.bandwidth_bytes_per_s


def _digits_of(rate: float, line: str) -> int:
    """To how many digits somebody repeats a rate: to three, or behind "~", or where he concludes, to as many as he
    writes."""
    is_rounded = _ROUGHLY.search(line) or (_CONCLUDES.match(line) and len(digits_of(rate)) >= _FEWEST_DIGITS)
    return len(digits_of(rate)) if is_rounded else _REPEATED_DIGITS


def _line_of(result: Result, lines: Sequence[str]) -> str:
    """The line in which it begins."""
    return lines[_place(result)]


def _last(result: Result) -> int:
    """The line behind its last one, counted from 0."""
    return (result.source and result.source.last_line) or _place(result) + 1


def _place(result: Result) -> int:
    """That of it, counted from 0."""
    return (result.source.first_line or 1) - 1 if result.source else 0
