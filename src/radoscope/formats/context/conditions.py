"""The conditions in force at each line of a page: what headings, captions, commands and sentences above say.

Walking down a page, a line may say what the next ones were measured with: a block size, a depth, a direction. How long
that holds is its scope. A **section** (a heading with a rank) holds until the next heading of its rank; a **caption**
("4k random read:") until the next one beside it; a **statement** (a setting, a command, a sentence) belongs to the
caption or the section in which it stands. The nearer wins; what is said in two ways is not said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.context.by_kind import (
    Told,
    opposed,
    told_by_blocks,
    told_by_items,
    told_by_kind,
    told_by_rows,
    with_only_ways,
)
from radoscope.formats.context.definitions import Definitions, Settings
from radoscope.formats.context.sentences import LINKED_HEADING, TAKEN, Line
from radoscope.formats.context.silent_sections import lines_below_silent_headings
from radoscope.formats.context.supposed import SENTENCE
from radoscope.formats.fio import job as fio_job
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.command_lines import BEFORE, size, without_pipe
from radoscope.formats.grammar.phrases import LABELS_KEPT, METRICS, OPTIONS, Load, Phrase, Quantity, Token, heading_of
from radoscope.formats.tools import dd, rados_lines, rbd_bench

_OF_NOTHING = re.compile(r"\bdd\s(?=.*\bif=/dev/(?:zero|u?random)\b).*\bof=/dev/(?:null|zero)\b")
_DD_BLOCK = re.compile(r"\bbs=(\d{1,9}[a-zA-Z]{0,3})(?!\w)")
_HAS_OPTIONS = re.compile(r"\s--?[a-zA-Z]")
_LONGEST_LINE = 400
_MOST_LINES = 10_000
"""Nobody writes so many lines of words: what is behind them has no conditions from above."""
_LONGEST_CAPTION, _MOST_CAPTION_WORDS = 120, 14
_TELLS = Alternatives(
    rf"\d ?(?:k|m|к|м)i?b?|\d{{3,8}} ?b|\d ?bytes|depth|(?<![a-z])qd?\W?\d|outstanding"
    rf"|{words.DEPTH}|{words.RANDOM}|{words.SEQUENTIAL}|{words.READ}|{words.WRITE}|{words.MIXED}"
    rf"|{words.JOBS}|iops|/ ?s|bps|(?-i:[a-z](?:Read|Write))"
)
_ATX = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s*\S|\s*(?P<equals>={2,6})\s*[^=\s].*=|h(?P<jira>[1-6])\.\s")
_SHELL = re.compile(r"\s*```\s*(?:bash|sh|shell|zsh|console|terminal)\b", re.IGNORECASE)
_BOLD = re.compile(r"\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*(?:\([^()]{1,60}\)\s*:?\s*)?")
_NUMBERED = re.compile(r"\s*(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+[^\W\d]")
_UNDERLINE = re.compile(r"\s*(?:={4,}|-{4,}|~{4,}|\^{4,})\s*")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|~{3,})\s*")
_RULE_OF_CELL, _MOST_ROWS_OF_SETTINGS = re.compile(r":?-+:?|"), 40
_ANSWER = re.compile(r"(?:-+>|=>|→)\s*[~≈]?\d|[^\W\d]\w{2,12} ?[:：] ?[~≈]?\d")
""" "-> 65.7 MiB/s | 525 iops" below a command."""
_FORMULA = re.compile(r"=.{1,60}[x×*] ?\d[\d.,]{0,6} ?\+|=.{1,60}\+.{1,60}[x×*] ?\d")
""" "Score = Read + Write x 1.5": how points are reckoned."""
_BULLET = re.compile(r"(?P<indent>\s*)(?P<mark>[-*•·+◦▪]\s+|\d{1,2}[.)]\s+)?")
_SPEAKER = re.compile(
    r"\s*(?:on .{4,80} wrote|.{1,60}\b(?:said|wrote|schrieb|napsal|napisał|a écrit|escribió|ha scritto))\s*:?\s*"
    r"|#\d{1,4}\s*|.{1,40}(?:написал|пишет)\w*\s*:\s*"
    r"|@?[\w.-]{1,40}\s+(?:commented|replied|posted)\b.{0,80}|@?[\w. -]{1,40} · [^|]{0,40}\d{4}-\d\d-\d\d.{0,20}",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^\W\d_)\]][)\]]?\s*(?:[:：→]|->|=>)\s*[~≈]?\d[\d.,'k]*$", re.IGNORECASE)
_LABELLED_COUNT = re.compile(r"(?:[:：→]|->|=>)\s*[~≈*]{0,3}\d[\d.,]*[kM]? ?IOPS", re.IGNORECASE)
""" "write: ~64K IOPS": no block of 64K."""
_SENTENCE_END = re.compile(r"[.。!?！？;]\s*$|。|(?<!\d)\. [A-ZÄÖÜ]")  # "Table 6. Random reads" is none
_GOES_ON = re.compile(r"(?:and|und|et|y|e|oraz|i|и)\s")
"""How a line begins that carries on the sentence above it."""
_SETUP = re.compile(
    r"[\W\d]*(?:(?:i/?o|dis[ck]|storage|performance|drive|our|the|dd|rados) ){0,3}"
    r"(?:(?:test(?:s|ing)?|benchmarks?|fio|bench|tools?)[- ]?(?:procedures?|set-?ups?|methods?|methodology"
    r"|config\w*|parameters?|settings?|conditions?|environment|details|commands?|jobs?|options)|methods?"
    r"|methodology|set-?up|parameters|(?:fio )?(?:settings|commands?|command lines?|options)(?: used)?|test ?bed"
    r"|befehle|einstellungen|commandes?|comandos?|comandi|команды|параметры|参数|命令|コマンド|オプション"
    r"|environment|umgebung|environnement|entorno|testaufbau|versuchsaufbau|methode|testumgebung"
    r"|测试(?:方法|环境|配置|参数|命令|条件|工具)"
    r"|(?:テスト|測定|計測)(?:条件|方法|環境)|методика\w*|условия\w*|(?:тестовый )?стенд"
    r"|(?:описание|конфигурация) (?:тестово\w+ )?(?:стенда|окружения)"
    r"|(?:test ?bed|set-?up|environment) description|description of the (?:test ?bed|(?:test )?(?:set-?up|environment))"
    r"|beschreibung (?:des (?:test|versuchs)aufbaus|der (?:test)?umgebung)|description de l['’]environnement"
    r"|descripción del entorno|descrição do ambiente|descrizione dell['’]ambiente|opis środowiska)\W*",
    re.IGNORECASE,
)
"""A section that says how all that follows was measured."""
_COMMAND = re.compile(
    rf"^\W*(?:[^\s:：]{{1,20}}[:：]\s*)?(?:\S*[#$>%]\s*)?{BEFORE}"
    r"(?:fio|rados|rbd|dd|ceph|iperf3?|qperf|elbencho|warp|hsbench|vdbench)\s"
    r"(?:.*\s)?(?:--?\w|\w+=\S|bench\b)"
)
_CONCURRENCY = re.compile(
    rf"(?:{words.CONCURRENCY})\W{{0,2}}(?:(?:of|is|was|von|d[ei]|est|es|è|[都均皆]?[是为為]|[はが은는이가]) ?)?\W?"
    r"(?P<count>\d{1,4})(?![\d.,]*\d|[\d.,]* ?%| ?[x×km]\b)",
    re.IGNORECASE,
)
_KEPT_TO = re.compile(rf"(?:{words.BOUND}|{words.SUB})\W{{0,2}}$", re.IGNORECASE)
_AS_BEFORE = Alternatives(
    r"\bsame with\b|\bsame (?:(?!machine|host|node|cluster)\w+ )?"
    r"(?:settings?|parameters?|conditions?|options?|block|tests?|jobs?|depth|size|objects?|config|command|run"
    r"|workload)"
    r"|\b(?:it|them) back\b"
    r"|(?:\bgleiche|selbe)[nmrs]? (?:einstellung|parameter|bedingung|test|befehl|kommando|aufruf)"
    r"|\bmêmes? (?:param|réglages|condition|test|commande)|\bmism[oa]s? (?:param|config|condicion|prueba|comando|orden)"
    r"|\bstess[oaie] (?:param|impost|condizion|prova|test|comando)|\bmesm[oa]s? (?:param|config|condiç|teste|comando)"
    r"|\bt(?:o|ym|e|ymi|ych|ej) sam[oyaeą]\w* (?:polecen|komend|param|ustaw|warunk)"
    r"|\bstejn\w+ (?:příkaz|param|nastaven|podmín)"
    r"|т(?:еми|ех|а|ой|е) же (?:сам\w+ )?(?:парам|настрой|услови|команд)"
    r"|(?:同样的?|同樣的?|相同的?|同一)(?:参数|參數|条件|條件|设置|設定|命令)|同じ(?:条件|設定|コマンド)"
    r"|같은 ?(?:명령|조건|설정)"
)
_HOW = re.compile(r"(?<![a-z])(?:direct=1|ioengine=\w)", re.IGNORECASE)
"""Options of fio that say how was measured, in a sentence that says the rest in words."""
_FIO_LOAD = re.compile(
    r"(?:[(`（]`?|\b(?:type|pattern|workload|mode|rw|access) ?[=:] ?)rand(?:read|write)(?:`?[)`）]|[.,;]|$)"
)
""" "Random reads (`randread`)", "I/O type = randread.": as fio calls them."""
_SUPPOSED = Alternatives(f"{words.WISHED}|{words.NOT_MEASURED}|{words.OFFERED}")
_TARGET = re.compile(
    r"\b(?:on|over|via|through|from|auf|über|von|sur|sobre|en|su|na|на|через) "
    r"(?:(?!iops|perf|through|lat|band|service)\S{1,24} ){1,3}(?!iops|perf|through|lat|band|service)(?:\S{1,24}-)?"
    r"targets?(?= ?[(（:,;.]| with| at| mit| avec| con| com| с )"
    r"|\b(?:both|iscsi|nvmf?|nvme(?:-o[fF]|/tcp|-tcp)?|block|storage|ublk|lio|spdk|vhost|scsi)[ -]targets?\b",
    re.IGNORECASE,
)
""" "Performance on the `null_blk` target (4k random at QD32)": what serves blocks, and no aim."""
_EXPECTED_ASIDE = re.compile(r"\((?:as )?expected\b[^()\d]{0,40}\)", re.IGNORECASE)
""" "No io.max (expected - no throttle)": what there is."""
_MEASURED_WITH = re.compile(
    r"\W*(?:(?:all|everything|alles|tout|todo|tutto|wszystko|vše|всё|все|全部|すべて|모두)(?: \w+){0,2}? )?"
    r"(?:(?:was|were|wurden?|a été|ont été|fu(?:e|eron)|foi|foram|è stato|sono stati|были|было) )?"
    r"(?:measured|tested|benchmarked|collected|gemessen|getestet|mesuré|testé|medid[oa]|probad[oa]|testad[oa]"
    r"|misurat[oaie]|testat[oaie]|zmierzon[eoy]|testowan[eoy]|měřen[oy]?|testován[oy]?|измерен[оаы]|измерял[ои]сь"
    r"|протестирован[оаы])s? "
    r"(?:with|on|by|using|via|at|in|mit|auf|bei|per|avec|sur|par|con|en|com|su|z|za|na|s|pomocí|с|на|при|через)(?!\w)"
    r"|(?:使用|通过|通過|用) ?[^，。,.]{1,24}(?:测试|測試|测得|測定|計測)"
    r"|[^、。,.]{1,24}(?:で(?:測定|計測)|(?:으로|로) ?측정)",
    re.IGNORECASE,
)
"""How a sentence begins that tells how something was measured: whatever its words, it wishes nothing."""
_BOUNDED = Alternatives(
    rf"{words.NOT_MEASURED}|{words.BOUND}|at least|minimum|mindestens|au moins|(?:al|por lo) menos|pelo menos|almeno"
    r"|co najmniej|alespoň|не менее|至少|少なくとも|최소"
)
"""How many at most or at least, and not how many."""
_FOOTNOTE = re.compile(
    r"\s*(?:[*†‡¹(\[]|(?:(?:the|these|this) (?:tests?|values?|numbers?|results?|runs?|was|were)|all|each|every|values?"
    r"|いずれも|どちらも|queue depth|iodepth|block size"
    r"|workload|access(?: pattern)?|тип нагрузки|нагрузка|zugriff\w*|lastprofil"
    r"|note|notes|numbers|measured|run with|tests?|tested|figures|results|fio|alle|werte|gemessen|tous|todos|tutti|все"
    r"|全部|所有|測定|すべて|注)(?![a-z]))",
    re.IGNORECASE,
)
_RATE = re.compile(rf"{words.IOPS}|/ ?s|bps", re.IGNORECASE)
_OF_ALL = re.compile(words.OF_ALL, re.IGNORECASE)
_UNLESS = re.compile(
    r"[(（,，;]?\s?(?:(?:unless|except where|if not|where not) (?:\w+ )?(?:otherwise|stated|noted|said|mentioned)"
    r"|(?:wenn|falls|sofern|soweit|außer) (?:nichts?|wo) ander\w*|sauf (?:mention|indication|avis) contraire"
    r"|sal(?:vo|vaguarda)? (?:que se (?:indi|di)|diversa|indica|mención|menção)|a menos que se (?:indi|di)"
    r"|se non (?:diversamente|altrimenti)|(?:chyba że|o ile nie|jeśli nie) (?:napis|podan|zaznacz|okreś)"
    r"|(?:nen[íi]-li|pokud nen[íi]) (?:uved|řeč)|если (?:явно |прямо )?не (?:указано|сказано|оговорено|отмечено)"
    r"|除非(?:另有|特别|特別)|(?:特に)?(?:断り|記載|明記|注記)が?(?:ない|なき)限り"
    r"|(?:별도|따로)[^.]{0,12}(?:없으면|없는 한))"
    r"[^.。;；]{0,60}",
    re.IGNORECASE,
)
"""How somebody takes back in advance what he says of all: "unless said otherwise"."""
_BELOW = re.compile(
    r"\b(?:below|following|that follow|from here on|unten|folgende[nrs]?|nachfolgend\w*|suivant\w*|ci-dessous"
    r"|siguientes?|a continuación|abajo|seguintes?|abaixo|seguenti|sotto|poniż\w+|następn\w+|níže|následuj\w+"
    r"|ниже|следующ\w+|далее)\b(?!\W{0,3}\d)(?! (?:the|that|this|a)\b)|以下|下面|下列|次の|下記|아래|다음",
    re.IGNORECASE,
)
_THROUGHOUT = re.compile(r"\b(?:throughout|everywhere|durchweg|überall|partout|ovunque|всюду|везде)\W*$", re.IGNORECASE)
HAVE_ALL = re.compile(
    r"(?<![^\W\d_])(?:all|every|alle[ns]?|jede[rs]?|tou(?:te)?s|todos?|todas?|tutt[ieoa]|wszystk\w+|każd\w+|každ\w+|všechny"
    r"|alla|samtliga|sämtliche[nr]?|tüm|bütün|hepsi|вс[еі]|[ву]сё|усі|кожн\w+|кажд\w+)(?![^\W\d_])|全部|所有|[均皆]|すべて|全て|いずれも|모두|모든",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"\W{0,4}(?:(?:the|die|les|los|las|os|as|i|le) )?(?:fio )?"
    r"(?:(?:common|shared|general|gemeinsame|allgemeine) (?:fio[ -])?"
    r"(?:options?|optionen|parameters?|parameter|settings?|flags?|arguments?|einstellungen)"
    r"|(?:options?|opciones|opções|opzioni|opcje|paramètres|parámetros|parâmetros|parametri|parametry)"
    r" (?:commune?s|comunes|comuns|comuni|wspólne|společné)|общие (?:параметры|опции|настройки)"
    r"|共通(?:の)?(?:オプション|パラメータ|設定)|(?:公共|通用|共同|统一)的?(?:参数|选项|配置)"
    r"|공통 ?(?:옵션|파라미터|설정))",
    re.IGNORECASE,
)
""" "Common options are --direct=1 --numjobs=1": of all that follows."""
_CEPH_BENCH = re.compile(r"\bceph\s+tell\s+\S*osd\.?\S*\s+bench\b(?:\s+(?P<total>\d+)(?:\s+(?P<block>\d+))?)?", re.I)
_DISK_MARK = re.compile(r"\bas[ -]ssd\b|disk ?mark\b|4k-64 ?thrd", re.IGNORECASE)
"""Of their tests all but Seq are random: "4K", "4K-64Thrd"."""
_SEVERAL_DEPTHS = re.compile(rf"(?:{words.DEPTH})\W{{0,3}}\d{{1,4}} ?/ ?\d{{1,4}} ?(?:/|[:.)]|$)", re.IGNORECASE)
_RANDOM_TOOL = re.compile(r"fio Disk Speed Tests")
"""A script whose fio jobs are all random, and whose table does not say so."""


_ANNOUNCED = re.compile(
    r"\b(?:following|(?:here|these|below) are|shown below|folgende|hier sind|nachfolgend|suivants?|voici|ci-dessous"
    r"|siguientes?|a continuación|seguintes?|seguenti|poniżej|następując\w+|следующ\w+|ниже)\b|以下|下面|次の|다음",
    re.IGNORECASE,
)
""" "The following are results of disk reads with fio": below it stand reads."""
_TESTED = Alternatives(words.TESTED)
_COMMAS = re.compile(r"[,;] |[，、；]|[(（]| [–—-] ")
_TOOL_ALONE = re.compile(
    r"(?:[^\W\d_]{1,12} ){0,3}(?:fio|rados bench|diskspd|vdbench|iozone|sysbench|elbencho)(?: v?\d[\d.]{0,8})?",
    re.IGNORECASE,
)
""" "fio 3.36", "measured with fio"."""
_TOOLS_APART = re.compile(
    r"(?<![\w-])(?:fio|dd|ioping|hdparm|iozone|bonnie\+\+|sysbench|diskspd|iperf3?|rados bench|rbd bench|ping)"
    r"(?: v?\d[\d.]{0,8})? ?[(（][^()（）]{1,60}[)）]",
    re.IGNORECASE,
)
""" "ioping (4k QD1), fio (4k QD32)": each with what it was called with."""
_ONLY_READS, _MOUNTED = re.compile(words.ONLY_READS, re.IGNORECASE), re.compile(words.MOUNTED, re.IGNORECASE)


class InForce(NamedTuple):
    """What holds at a line, and which line said the last of it."""

    load: Load = Load()
    line: int = -1
    quantity: Quantity | None = None
    """What the numbers below the nearest caption are: "IOPS:", "Latencies (4k):"."""
    told: tuple[Told, ...] = ()
    """What the nearest line says of each kind of test."""
    command: bool = False
    """A command is among what says so."""
    of_both: Load = Load()
    """What is said without a direction: it holds for reads, too, where the nearest line speaks of writes."""

    def of(self, load: Load) -> Load:
        """What holds for a load."""
        return self.of_both if opposed(load, self.load) else self.load


_NO_SETTINGS = Settings(Load(), -1)


@dataclass(slots=True)
class _Scope:
    """rank: of a heading, from 0; of a caption 100 and its indent. line: which said the last of it.

    served: results have followed it directly.

    parted: of sizes alone, and right below it one of the same rank names a direction.

    said: what statements within it add. lasting: what one says of all that follows within it.

    passing: they name a direction or are a command, and hold for what follows them at once.
    """

    rank: int
    load: Load
    line: int
    quantity: Quantity | None = None
    served: bool = False
    parted: bool = False
    said: Load = field(default_factory=Load)
    lasting: Load = field(default_factory=Load)
    passing: bool = False
    command: bool = False
    told: tuple[Told, ...] = ()
    stated: list[Load] | None = None
    """Of a section that tells how was measured: all of its statements."""
    settings: Settings = _NO_SETTINGS
    """What a block of settings in it says."""

    @property
    def is_caption(self) -> bool:
        return self.rank >= _CAPTION


_CAPTION = 100
_NOT_ASKED, _ASKED, _ANSWERED = range(3)
"""Whether commands tell what each kind of test was made with, and whether results have followed them."""
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LEADS_OVER = 3
"""Lines from a caption to the command that it names: a gap, and a fence."""


class PageConditions:
    """Of a page: at(line) -> what is in force there. lines: with "" or TAKEN for what is not this reader's.

    results: the half-open ranges of lines that hold results and say nothing of others. Lines are counted as given here.
    """

    def __init__(self, lines: Sequence[Line], results: Iterable[tuple[int, int]] = ()) -> None:
        self._lines = [line.text for line in lines]
        self._scopes = [_Scope(-1, Load(), -1)]
        self._changes: list[int] = [-1]
        self._states: list[InForce] = [InForce()]
        jobs = _asked_in(self._lines)
        self._jobs = _jobs_of(self._lines, jobs)
        self._tests = _lists_of_tests(self._lines, self._jobs)
        self.definitions = Definitions(self._lines, jobs)
        self._rows_told = dict(_tables_that_tell(self._lines))
        self._series = dict(_series_of_commands(self._lines, _commands_of(self._lines, self._jobs)))
        self._asked = _NOT_ASKED
        self._only_job = self._job_of_page()
        self._of_page: tuple[Told, ...] = ()
        self._of_page_line = -1
        self._commented = set(_commented(self._lines))
        self._silent: Set[int] | None = None
        self._last_shown = -1
        self._disk_marks = any(len(line) <= _LONGEST_LINE and _DISK_MARK.search(line) for line in self._lines)
        shown = {at for first, end in results for at in range(first, end)}
        self._walk(shown)

    def at(self, line: int) -> InForce:
        """What holds at a line."""
        return self._states[bisect_right(self._changes, line) - 1]

    @property
    def names_disk_mark(self) -> bool:
        return self._disk_marks

    @property
    def job_files(self) -> Mapping[int, tuple[Load, tuple[Told, ...]]]:
        """The first line of each job file -> what its jobs agree on, and what each of several asks for."""
        return {at: (load, told) for at, (end, load, told) in self._jobs.items() if end > at + 1}

    def _job_of_page(self) -> int | None:
        """The first line of its job file, where it has one and no command: that holds for all tables below it."""
        files = list(self.job_files)
        if not len(files) == len(self._jobs) == 1:
            return None
        has_command = any(len(line) <= _LONGEST_LINE and _COMMAND.match(line) for line in self._lines)
        return None if has_command else files[0]

    def _walk(self, shown: set[int]) -> None:
        skip, taken = -1, 0
        for at, line in enumerate(self._lines):
            if at in self._rows_told:
                self._scopes[-1].told = self._rows_told[at]
                self._keep(at)
            if at in self.definitions.settings and at not in self._jobs:
                self._set(at, self.definitions.settings[at])
                skip = self.definitions.settings[at].end
            if at < skip or at in self.definitions.lines:
                continue
            if at in shown:
                self._serve(at)
            elif line == TAKEN:
                self._end_commands(at)
                self._serve(at)
            elif at in self._tests:
                self._of_page, skip = self._tests[at]
                self._of_page_line, self._asked = skip - 1, _NOT_ASKED
                self._keep(at)
            elif not line.strip():
                continue
            elif at in self._jobs:
                skip, load, told = self._jobs[at]
                self._state(at, load, command=True, last=skip - 1)
                if at == self._only_job:
                    self._scopes[0].said = load
                    self._scopes[-1].passing = self._scopes[-1].command = False
                if told:
                    self._scopes[-1].told = told
                self._ask(at, skip)
                self._keep(at)
            elif at >= skip and len(line) <= _LONGEST_LINE:
                taken += 1
                if taken > _MOST_LINES:
                    self._scopes = [_Scope(-1, Load(), at)]
                    self._keep(at)
                    return
                self._take(at, line)
                self._ask(at, at + 1)

    def _ask(self, at: int, end: int) -> None:
        """Of the last of several commands: what each kind of test was made with."""
        if at in self._series:
            self._of_page, self._of_page_line, self._asked = self._series[at], end - 1, _ASKED
            self._keep(at)

    def _take(self, at: int, line: str) -> None:
        line = without_pipe(line)
        text = line.strip()
        if is_speaker(text):
            self._scopes = [_Scope(-1, Load(), at)]
            self._keep(at)
        elif (rank := self._rank(at, line)) is not None:
            self._take_heading(at, text, rank)
        elif (
            _FORMULA.search(text)
            or _RULE.fullmatch(line)
            or (("|" in text or "\t" in text) and not OPTIONS.search(text))
        ):
            if self._scopes[-1].command and _ANSWER.match(text):
                self._serve(at)
        elif _COMMAND.match(line) and (asked := command_load(line)) is not None:
            self._state(at, asked, command=True)
        elif (phrase := heading_of(text) if _tells(text) else None) is not None and (
            _holds_value(phrase) or _LABELLED_COUNT.search(text)
        ):
            self._take_value(at, text)
        else:
            self._take_words(at, line, phrase)
            self._tell(at, text)

    def _take_heading(self, at: int, text: str, rank: int) -> None:
        heading = heading_of(text)
        if self._answers(heading):
            self._serve(at)
            return
        named = (self._known(_told(heading, text), text) or Load()).over(self.definitions.of(text, at))
        self._open(at, rank, named, _quantity(heading))
        if _SETUP.fullmatch(text):
            self._scopes[-1].stated = []
        self._tell(at, text)

    def _take_value(self, at: int, text: str) -> None:
        """A line with a value, and what its last sentence says of those below: "iperf3 shows 9.4 Gbit/s. From Windows,
        SEQ1M Q8T1:"."""
        if self._silent is None:
            self._silent = lines_below_silent_headings(self._lines)
        if at not in self._silent:  # what was said is of what comes below memory's rates
            self._serve(at)
        last = SENTENCE.split(text)[-1]
        if last != text and last.endswith((":", "：")):
            self._take(at, last)

    def _take_words(self, at: int, line: str, phrase: Phrase | None) -> None:
        """A caption, a setting, or words that say neither. phrase: of the line, where it tells anything."""
        text = line.strip()
        ends_so = text.rstrip("*_ ").endswith((":", "："))
        is_short = len(text) <= _LONGEST_CAPTION and len(text.split()) <= _MOST_CAPTION_WORDS * (1 + ends_so)
        is_led = heads_items(*self._lines[at : at + 2])
        bare = text.removesuffix("...") if is_led else text  # "* Writing..."
        is_caption = is_short and (ends_so or not _SENTENCE_END.search(bare))
        load = self._known(_told(phrase, text, not is_caption) if phrase is not None else None, text)
        if load is None and not (is_short or _SENTENCE_END.search(text)) and (behind := _conditions_behind(text)):
            is_caption, phrase = True, heading_of(behind)
            load = _told(phrase, behind)
        if (load is not None or (is_caption and ends_so)) and as_before(text):
            load = (load or Load()).over(self._states[-1].load)
        if load is not None and not ends_so and says_of_all_below(text):
            self._state_of_all(at, load)
        elif is_caption and (ends_so or is_led or (load and not _is_setting(phrase))):
            load = (load or Load()).over(self.definitions.of(text, at))
            quantity = _quantity(phrase) if phrase else None
            self._open(at, _CAPTION + self._indent(line), load, quantity)
            if load == Load() and quantity is None and self._leads_to_command(at):
                self._close(at)
        elif load is not None:
            self._state(at, load)
        elif not (_GOES_ON.match(text) or self._is_item_below(line)):
            self._pass(at)

    def _answers(self, heading: Phrase) -> bool:
        """ "Output: 68k read IOPS" below a command of reads: the heading says what came of it, and ends nothing."""
        scope = self._scopes[-1]
        is_open = scope.command and not scope.served and heading.load.way == scope.said.way is not None
        counts = heading.load.block_bytes is None and any(token.kind == "size" for token in heading.tokens)
        return is_open and (_holds_value(heading) or (counts and bool(heading.quantities)))

    def _tell(self, at: int, text: str) -> None:
        """What a line says of each kind of test joins the scope in which it stands."""
        told = told_by_kind(text) if _tells(text) and not is_supposed(text) else ()
        if told:
            self._scopes[-1].told = told
            self._keep(at)

    def _known(self, load: Load | None, text: str) -> Load | None:
        """With what tools mean and do not print: "4K" is random below the names of some."""
        if self._disk_marks and load is not None and load[:2] == (None, None) and load.block_bytes and len(text) < 20:
            return load._replace(random=True)
        return load

    def _rank(self, at: int, line: str) -> int | None:
        """The rank of a heading; None for every other line."""
        if (match := _ATX.match(line)) and at not in self._commented:
            return len(match["marks"] or match["equals"] or "") or int(match["jira"])
        if _BOLD.fullmatch(line) or (len(line) <= _LONGEST_CAPTION and LINKED_HEADING.fullmatch(line)):
            return 20
        below = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        is_underlined = _UNDERLINE.fullmatch(below) and "|" not in line and len(line.strip()) > 1
        if is_underlined and len(below.strip()) <= 3 * len(line.strip()) + 40 and not _holds_value(heading_of(line)):
            return 1 + "=-~^".index(below.strip()[0])
        match = _NUMBERED.match(line) if len(line) <= _LONGEST_CAPTION else None
        if match and not (_SENTENCE_END.search(line) or heading_of(line).names_values):
            return 10 + match["number"].count(".")
        return None

    def _indent(self, line: str) -> int:
        match = _BULLET.match(line)
        return len(match["indent"].expandtabs(4)) + (1 if match["mark"] else 0) if match else 0

    def _is_item(self, caption: _Scope) -> bool:
        """Whether it is the item of a list that others further to the right are of."""
        return caption.is_caption and caption.line >= 0 and heads_items(*self._lines[caption.line : caption.line + 2])

    def _is_item_below(self, line: str) -> bool:
        """An item of the list that a caption heads says more of what stands beside it."""
        match, caption = _BULLET.match(line), self._scopes[-1]
        is_item = match is not None and match["mark"] is not None
        return is_item and caption.is_caption and _CAPTION + self._indent(line) > caption.rank

    def _is_other_half(self, rank: int, load: Load) -> bool:
        """ "Reads:" and "Writes:" beside each other below what is said of a mixed run."""
        caption = self._scopes[-1]
        ways = {caption.load.way, load.way}
        return caption.is_caption and caption.rank == rank and self._states[-1].load.mixed and ways == {"read", "write"}

    def _leads_to_command(self, at: int) -> bool:
        """ "The command:": what stands below it is said where the caption stands, and outlasts it."""
        for below, line in enumerate(self._lines[at + 1 : at + 1 + _LEADS_OVER], at + 1):
            if line.strip() and not _FENCE.match(line):
                return below in self._jobs or _COMMAND.match(line) is not None
        return False

    # --- scopes -------------------------------------------------------------------------------------------------------

    def _open(self, at: int, rank: int, load: Load, quantity: Quantity | None) -> None:
        """A heading or a caption: what it ends goes, and it holds from here on."""
        scopes = self._scopes
        if not self._is_other_half(rank, load):
            self._pass(at)
        if self._asked == _ANSWERED and rank < _CAPTION:
            self._of_page, self._asked = (), _NOT_ASKED
        if rank < _CAPTION and self._leads_to(at):
            led = scopes.pop()
            scopes[-1].said = led.load.sizes.over(scopes[-1].said)
        above = scopes[-1]
        if above.rank == rank and above.load.sizes == above.load and not self._is_apart(above.line, at):
            above.parted = above.parted or _is_part_of(load, above.load)
        while len(scopes) > 1 and self._ends(scopes[-1], rank, load):
            ended = scopes.pop()
            if ended.stated:
                scopes[-1].said = _agreed(ended.stated).over(scopes[-1].said)
            if ended.stated is not None:
                scopes[-1].told = ended.told or scopes[-1].told
            if ended.settings.end > self._last_shown:  # a section of its own, and no results in it
                scopes[-1].lasting = ended.settings.load.over(scopes[-1].lasting)
                scopes[-1].told = ended.settings.told or scopes[-1].told
        scopes.append(_Scope(rank, load, at, quantity))
        self._keep(at)

    def _leads_to(self, at: int) -> bool:
        """ "Measured with fio, one job:" right above a heading: said of all headings of this rank."""
        caption = self._scopes[-1]
        if not caption.is_caption or caption.served or caption.line < 0:
            return False
        leads = self._lines[caption.line].rstrip("*_ ").endswith((":", "："))
        return leads and not self._is_apart(caption.line, at)

    def _is_apart(self, line: int, at: int) -> bool:
        return line < 0 or any(map(str.strip, self._lines[line + 1 : at]))

    def _close(self, at: int) -> None:
        self._scopes.pop()
        self._keep(at)

    def _ends(self, scope: _Scope, rank: int, load: Load) -> bool:
        """Whether a heading or a caption of this rank ends a scope."""
        if scope.rank == rank and scope.parted:
            return not _is_part_of(load, scope.load)
        if rank < _CAPTION or not scope.is_caption:
            return scope.rank >= rank
        if scope.rank != rank:
            return scope.rank > rank
        return scope.served or _collides(load, scope.load)

    def _state(self, at: int, load: Load, command: bool = False, last: int = -1) -> None:
        """A statement joins the scope in which it stands; one of the other direction ends a caption."""
        scopes = self._scopes
        self._pass(at)
        while scopes[-1].is_caption and opposed(load, scopes[-1].load):
            scopes.pop()
        for each in scopes:
            if each.stated is not None:
                each.stated.append(load)
        scope = scopes[-1]
        anew = (command and scope.command) or opposed(load, scope.said)
        if command and scope.command and not scope.served:
            load = _told_alike(load, scope.said)
        scope.said = load if anew else load.over(scope.said)
        is_general = len(scopes) == 1 and load.way is None and None not in (load.block_bytes, load.depth)
        names_order = load.random is not None and not is_general  # "Random I/O only, 4k at QD16." above all headings
        scope.passing = scope.passing or command or load.way is not None or names_order
        scope.command, scope.served, scope.line = scope.command or command, False, max(at, last)
        self._keep(at)

    def _state_of_all(self, at: int, load: Load) -> None:
        """What holds for all that follows stays with the section in which it stands, whatever comes between; one that
        tells how was measured has no results of its own, so what it says is of the sections beside it."""
        scope = next(scope for scope in reversed(self._scopes) if not scope.is_caption and scope.stated is None)
        scope.lasting = load.over(scope.lasting)
        scope.line = max(at, scope.line)
        self._keep(at)

    def _set(self, at: int, settings: Settings) -> None:
        """A block of settings is of all that its section holds."""
        scope = next(scope for scope in reversed(self._scopes) if not scope.is_caption)
        scope.lasting, scope.settings = settings.load.over(scope.lasting), settings
        scope.told = settings.told or scope.told
        scope.line = max(scope.line, settings.end - 1)
        self._keep(at)

    def _serve(self, at: int) -> None:
        self._last_shown = at
        last = self._scopes[-1]
        for scope in self._scopes:
            scope.served = scope.served or scope is last or (scope.rank < last.rank and self._is_item(scope))
        self._asked = _ANSWERED if self._asked == _ASKED else self._asked

    def _pass(self, at: int) -> None:
        """Another line of words: what was said for the results that have come by now holds no longer."""
        for scope in self._scopes:
            if scope.passing and self._scopes[-1].served:
                scope.said, scope.passing, scope.command = Load(), False, False
                self._keep(at)

    def _end_commands(self, at: int) -> None:
        if self._asked != _NOT_ASKED:
            self._of_page, self._asked = (), _NOT_ASKED
        for scope in self._scopes:
            if scope.command:
                scope.said, scope.passing, scope.command = Load(), False, False
                self._keep(at)

    def _told_of_page(self) -> tuple[Told, ...]:
        """What a list says of all tests of the page, as far as nothing nearer says another, or is a command."""
        nearer = [scope for scope in self._scopes if scope.line > self._of_page_line]
        if not self._of_page or any(scope.command for scope in nearer):
            return ()
        loads = [load for scope in nearer for load in (scope.load, scope.said)]
        return tuple(told for told in self._of_page if not any(_differs(told, load) for load in loads))

    def _keep(self, at: int) -> None:
        load, of_both = Load(), Load()
        for scope in reversed(self._scopes):
            for each in (scope.said, scope.load, scope.lasting):
                load = load if opposed(load, each) else load.over(each)
                of_both = of_both if each.way or opposed(of_both, each) else of_both.over(each)
        quantity = next((scope.quantity for scope in reversed(self._scopes) if scope.quantity), None)
        told = next((scope.told for scope in reversed(self._scopes) if scope.told), ()) or self._told_of_page()
        command = any(scope.command for scope in self._scopes)
        state = InForce(load, max(scope.line for scope in self._scopes), quantity, told, command, of_both)
        if self._changes[-1] == at:
            self._states[-1] = state
        else:
            self._changes.append(at)
            self._states.append(state)


def _series_of_commands(
    lines: Sequence[str], commands: Mapping[int, tuple[int, Load]]
) -> Iterator[tuple[int, tuple[Told, ...]]]:
    """The first line of the last of several commands with nothing but remarks between them -> what each was made with,
    where each has a load or a block of its own."""
    series: list[int] = []
    for at in [*sorted(commands), len(lines)]:
        between = lines[commands[series[-1]][0] : at] if series else []
        if series and (at == len(lines) or not all(map(_is_remark, between))):
            told = tuple(_asked_by(commands[each][1]) for each in series)
            are_whole = all(None not in (each.random, each.way) and each.load.sizes != Load() for each in told)
            if are_whole and len(told) > 1 and (apart := told_by_blocks(told)):
                yield series[-1], with_only_ways(apart)
            series = []
        series.append(at)


def _commands_of(
    lines: Sequence[str], jobs: Mapping[int, tuple[int, Load, tuple[Told, ...]]]
) -> Mapping[int, tuple[int, Load]]:
    """The first line of each command of fio, rados and rbd -> its end, and what it asks for; a job file is one, too."""
    found = {at: (end, load) for at, (end, load, _) in jobs.items()}
    benches = (at for at, line in enumerate(lines) if "bench" in line and len(line) <= _LONGEST_LINE)
    for at in benches:
        if _COMMAND.match(lines[at]) and (load := command_load(without_pipe(lines[at]))) is not None:
            found.setdefault(at, (at + 1, load))
    return found


def _asked_by(load: Load) -> Told:
    return Told(load.random, load.way if load.way != "mix" else None, "", load.sizes, is_of_page=True)


def _is_remark(line: str) -> bool:
    text = line.strip()
    is_short = len(text) <= _LONGEST_CAPTION
    is_caption = is_short and (text.endswith((":", "：")) or _names_a_test(text))
    return not text or text.startswith("#") or is_caption or _FENCE.match(line) is not None


def _names_a_test(text: str) -> bool:
    """ "* 4k random reads", "And the writes.": a direction, and no value."""
    phrase = heading_of(text)
    return phrase.load.way is not None and not (phrase.names_values or _holds_value(phrase))


def _lists_of_tests(lines: Sequence[str], commands: Collection[int]) -> dict[int, tuple[tuple[Told, ...], int]]:
    """The first line of a list that says with which options each kind of test was made -> that, and its end."""
    found: dict[int, tuple[tuple[Told, ...], int]] = {}
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and end not in commands and _is_item_of_options(lines[end]):
            end += 1
        if end > at + 1 and (told := told_by_items(lines[at:end])):
            found[at] = told, end
        at = max(end, at + 1)
    return found


def _tables_that_tell(lines: Sequence[str]) -> Iterator[tuple[int, tuple[Told, ...]]]:
    """The last row of each table of names and texts -> what it tells of each kind of test."""
    rows: list[tuple[str, str]] = []
    for at, (cells, below) in enumerate(pairwise(chain(map(_cells_of, lines), [()]))):
        if len(cells) < 2:
            rows.clear()
            continue
        if len(cells) == 2 and len(rows) <= _MOST_ROWS_OF_SETTINGS and not any(map(_RULE_OF_CELL.fullmatch, cells)):
            rows.append((cells[0], cells[1]))
        is_last = len(cells) == 2 and len(below) < 2 and len(rows) <= _MOST_ROWS_OF_SETTINGS
        if is_last and any(_tells(text) for _, text in rows) and (told := told_by_rows(rows)):
            yield at, told


def _cells_of(line: str) -> Sequence[str]:
    """Of a row with bars or tabs."""
    mark = "|" if "|" in line else "\t"
    if mark not in line or len(line) > _LONGEST_LINE:
        return ()
    return [cell.strip(" *`") for cell in line.strip().strip(mark).split(mark)]


def _is_item_of_options(line: str) -> bool:
    if "=" not in line or len(line) > _LONGEST_CAPTION or OPTIONS.search(line) is None:
        return False
    match = _BULLET.match(line)
    return match is not None and match["mark"] is not None and not _COMMAND.match(line)


def _commented(lines: Sequence[str]) -> Iterator[int]:
    """The lines between the fences of a shell's code, where a hash begins a comment. Other fences may hold a page."""
    opened = -1
    for at, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            yield from range(opened + 1, at) if opened >= 0 else ()
            opened = at if opened < 0 and _SHELL.match(line) else -1


def _told_alike(load: Load, other: Load) -> Load:
    """Of two commands above results: nobody says which of them gave these."""
    alike = Load(*map(fio_job.agreed, zip(load[:5], other[:5], strict=True)))
    return alike._replace(mixed=load.mixed and other.mixed)


def _agreed(loads: Sequence[Load]) -> Load:
    """What those of them say alike that say it at all."""
    fields = zip(*(load[:5] for load in loads), strict=True)
    return Load(*(fio_job.agreed(set(values) - {None}) for values in fields))


@lru_cache(maxsize=LABELS_KEPT)
def _tells(text: str) -> bool:
    """Whether it may name a condition: asked twice of each line, and again wherever its page is read once more."""
    return _TELLS.search(text) is not None


@lru_cache(maxsize=LABELS_KEPT)
def is_supposed(text: str) -> bool:
    text = _TARGET.sub("", text) if "arget" in text else text
    text = _EXPECTED_ASIDE.sub("", text) if "(" in text else text
    return _SUPPOSED.search(text) is not None


def says_of_all_below(text: str) -> bool:
    """Whether a sentence says with what all was measured that follows: "All results below are random, in 4k blocks",
    "The queue depth is 64 throughout."."""
    if _UNLESS.search(text) or _THROUGHOUT.search(text):
        return True
    return _COMMON.match(text) is not None or (_BELOW.search(text) is not None and HAVE_ALL.search(text) is not None)


def as_before(text: str) -> bool:
    """Whether a text says that its conditions are those of what came before: "with the same settings"."""
    return _AS_BEFORE.search(text) is not None


def heads_items(line: str, below: str = "") -> bool:
    """ "- fast pool" right above an item that stands further to the right."""
    item, lower = _BULLET.match(line), _BULLET.match(below)
    if item is None or lower is None or not (item["mark"] and lower["mark"]):
        return False
    return len(item["indent"].expandtabs(4)) < len(lower["indent"].expandtabs(4))


def is_speaker(line: str) -> bool:
    """Whether a line names who says what stands below it: nothing from above holds there."""
    return len(line) <= _LONGEST_CAPTION and _SPEAKER.fullmatch(line.strip()) is not None


def is_footnote(line: str) -> bool:
    """Whether a line right below a table speaks of it: "All values: 4k random, QD32"."""
    text = line.strip()
    return len(text) <= 200 and _FOOTNOTE.match(text) is not None and not text.endswith((":", "："))


def conditions_of(text: str) -> Load:
    """What a footnote says of the results that it stands below."""
    load = _without_kinds(heading_of(text).load, told_by_kind(text))
    return load.sizes if _TURNS.search(text) else load


_TURNS = re.compile(
    r"\b(?:but|although|though|whereas|aber|obwohl|mais|bien que|pero|aunque|mas|ma|но|хотя)\b", re.IGNORECASE
)
""" "Latency: reads come from the cache, but writes pass through": what a sentence turns to is not what was done."""


def conditions_in_sentence(text: str) -> Load:
    """What a sentence without a value says of the results of which it speaks."""
    phrase = heading_of(text) if _tells(text) and len(text) <= _LONGEST_LINE else None
    return Load() if phrase is None or _holds_value(phrase) else _told(phrase, text, is_sentence=True) or Load()


def _differs(told: Told, load: Load) -> bool:
    """Whether it is of another kind or another size than what is said nearer."""
    return opposed(Load(told.random, told.way), load) or told.load.contradicts_sizes(load)


def _collides(one: Load, other: Load) -> bool:
    """Both name the same, or the first names a direction of its own."""
    if one.way is not None or one.random is not None:
        return other != Load()
    return one.shares_a_size(other)


def _is_part_of(load: Load, sizes: Load) -> bool:
    """ "Write:" below "4 MB": a direction that names no size of its own."""
    return sizes != Load() and load.way is not None and not load.shares_a_size(sizes)


def _holds_value(phrase: Phrase) -> bool:
    """A rate, or a number behind a label that is no condition: "randread: 41,230"."""
    kinds = {token.kind for token in phrase.tokens}
    if (
        kinds & {"rate", "iops"}
        or any(map(_is_range_of_rates, phrase.tokens))
        or (kinds & {"metric_latency", "percentile"} and any(_is_time(phrase, token) for token in phrase.tokens))
    ):
        return True
    is_number = bool(phrase.tokens) and phrase.tokens[-1].kind in ("number", "scaled")
    is_metric = is_number and "=" in phrase.text and any(token.kind in METRICS for token in phrase.tokens[-4:-1])
    return is_metric or (is_number and _LABELLED.search(phrase.text) is not None)


def _is_time(phrase: Phrase, token: Token) -> bool:
    """None that a test was to keep to: "with a depth at which the latency stays below 10 ms"."""
    return token.kind == "time" and _KEPT_TO.search(phrase.text, 0, token.start) is None


def _is_range_of_rates(token: Token) -> bool:
    return token.kind == "range" and _RATE.search(token.text) is not None and not re.search("[>→]", token.text)


def _quantity(phrase: Phrase) -> Quantity | None:
    return phrase.quantities[0] if len(phrase.quantities) == 1 and not phrase.names_values else None


def _conditions_behind(text: str) -> str:
    """ "A node without a drive of its own against the one that holds it, fio, one job": what a long caption names
    behind its last commas, where a tool is among it and all else are conditions; "" of any other line."""
    parts = [part.strip(" ()（）:：") for part in _COMMAS.split(text)]
    told = list(takewhile(_is_tool_or_condition, reversed(parts)))
    return ", ".join(reversed(told)) if any(map(_TOOL_ALONE.fullmatch, told)) and len(told) < len(parts) else ""


def _is_tool_or_condition(part: str) -> bool:
    phrase = heading_of(part)
    is_condition = phrase.load != Load() and not (phrase.rest or phrase.quantities or phrase.names_values)
    return is_condition or _TOOL_ALONE.fullmatch(part) is not None


def _is_setting(phrase: Phrase | None) -> bool:
    """ "iodepth: 32", "bs=4k": names of conditions with their values, and no direction."""
    if phrase is None or phrase.load.way is not None or phrase.load.random is not None:
        return False
    return any(token.kind in ("block", "depth", "jobs", "option") for token in phrase.tokens)


def _told(phrase: Phrase, text: str, is_sentence: bool = False) -> Load | None:
    """The load that a heading, a caption or a sentence names without doubt; None: nothing that holds for others."""
    shares = _names_shares(phrase)
    if shares and _AT_RANDOM.search(text):
        phrase = heading_of(_AT_RANDOM.sub("", text))
    only_reads = _says_only_reads(phrase, text)
    load = phrase.load._replace(way="read") if only_reads else phrase.load
    if load[3:5] == (None, None) and (at_once := _CONCURRENCY.search(text)):
        load = load._replace(depth=int(at_once["count"]) or None)
    if load == Load() or len(_TOOLS_APART.findall(text)) > 1:
        return None
    kinds = [token.kind for token in phrase.tokens]
    lower = [token.text.lower() for token in phrase.tokens]
    options = OPTIONS.search(text) is not None or _HOW.search(text) is not None or len(_FIO_LOAD.findall(text)) == 1
    is_done = _MEASURED_WITH.match(text) is not None and _BOUNDED.search(text) is None
    supposed = is_supposed(_UNLESS.sub("", text)) and not (options or is_done)
    no_size = load.block_bytes is None and load.depth is None and not (load.jobs and _OF_ALL.match(text))
    announced = _ANNOUNCED.search(text) is not None and len(phrase.ways) == 1 and _TESTED.search(text) is not None
    announced = announced or only_reads or shares
    if is_sentence and not options and (supposed or (no_size and not announced)):
        return None
    naming = ("block",) if "block" in kinds else ("size",)
    named = (heading_of(token.text).load.block_bytes for token in phrase.tokens if token.kind in naming)
    sizes = set(filter(None, named))
    if len(sizes) > 1:
        load = load._replace(block_bytes=None)
    if len(_counts_of(phrase, "depth", ("depth", "cdm"))) > 1 or _SEVERAL_DEPTHS.search(text):
        load = load._replace(depth=None)
    jobs = {text for kind, text in zip(kinds, lower, strict=True) if kind == "jobs"}
    if len(_counts_of(phrase, "jobs", ("jobs",))) > 1 or not _counts_jobs(load, jobs, kinds):
        load = load._replace(jobs=None)
    if _SEVERAL_LOADS.search(text):
        load = load._replace(random=None, way=None)
    orders = {at: random for at, token in enumerate(phrase.tokens) if (random := _order_of(token)) is not None}
    if len(set(orders.values())) > 1:
        first, last = min(orders), max(orders)
        places = [at for at, kind in enumerate(kinds) if kind in naming]
        is_of_one = any(
            first < at < last or (at - 1 == last and last - first > 2 and not _is_apart(phrase, at)) for at in places
        )
        load = load._replace(random=None, block_bytes=None if is_of_one else load.block_bytes)
    if _RANDOM_TOOL.search(text):
        load = load._replace(random=True)
    load = _without_kinds(load, told_by_kind(text))
    told = [each for each in load[:5] if each is not None]
    is_tested = _TESTED.search(text) is not None
    naming_kinds = {token.kind for token in phrase.tokens if is_tested or not _is_noun_behind(token)}
    names_sizes = {"block", "depth", "option", "cdm"} & naming_kinds or (load.jobs and _OF_ALL.match(text))
    explicit = options or announced or names_sizes
    if not told or (is_sentence and len(told) < 2 and not explicit):
        return None
    return load


def _names_shares(phrase: Phrase) -> bool:
    """ "70% GET, 30% PUT at random.": a sentence of nothing but shares of reads and writes, and a word or two."""
    has_shares = any(token.kind == "ratio" and "%" in token.text for token in phrase.tokens)
    return has_shares and phrase.load.way == "mix" and len(phrase.rest.split()) <= _MOST_WORDS_BESIDE


def _is_noun_behind(token: Token) -> bool:
    """ "128k blocks": a file system has such, too."""
    return token.kind == "block" and token.text[:1].isdecimal()


def _counts_of(phrase: Phrase, name: str, kinds: Sequence[str]) -> set[int | None]:
    """What it calls the depth or the jobs: "numjobs=4 (four threads)" says the same twice."""
    return {getattr(Phrase(each.text, (each,)).load, name) for each in phrase.tokens if each.kind in kinds}


def _is_apart(phrase: Phrase, at: int) -> bool:
    """ "sequential and random reads, object size 4M": what is named behind a comma is no part of what is before it."""
    token = phrase.tokens[at]
    return token.kind == "block" and phrase.text[: token.start].rstrip().endswith((",", "，", ";", "；", "、"))


def _says_only_reads(phrase: Phrase, text: str) -> bool:
    """ "fio, nur lesend": of a test, and not of a file system."""
    is_told = _ONLY_READS.search(text) is not None and phrase.ways in ((), ("read",))
    return is_told and _TESTED.search(text) is not None and _MOUNTED.search(text) is None


def _order_of(token: Token) -> bool | None:
    """ "random reads" and "sequential writes" are one token each."""
    return Phrase(token.text, (token,)).load.random if token.kind in _ORDERED else None


def _without_kinds(load: Load, kinds: Sequence[Told]) -> Load:
    """What is said of one kind of test does not hold for all."""
    return load._replace(
        block_bytes=None if any(told.load.block_bytes for told in kinds) else load.block_bytes,
        depth=None if any(told.load.depth for told in kinds) else load.depth,
        jobs=None if any(told.load.jobs for told in kinds) else load.jobs,
    )


def _counts_jobs(load: Load, jobs: set[str], kinds: Sequence[str]) -> bool:
    """ "16 threads" alone may be those of a processor; "16 I/O threads" and "threads=16" are none, and one thread is
    nobody's."""
    return (
        load.jobs == 1
        or bool({"block", "depth", "cdm", "option"} & set(kinds))
        or load.way is not None
        or load.block_bytes is not None
        or any(name in each for each in jobs for name in ("job", "io ", "i/o ", "="))
    )


def command_load(line: str) -> Load | None:
    """What a command of a tool asks for; None where it is no command of one."""
    if command := rados_lines.read_command(line):
        op = command.op or ""
        way = "write" if op == "write" else "read"
        said = Load() if _HAS_OPTIONS.search(line) else heading_of(line).load  # "rados bench 64k write, t=32"
        in_flight = said.depth or said.jobs or command.depth
        return Load(op == "randread", way, said.block_bytes or command.block_bytes or 2**22, in_flight)
    if match := _CEPH_BENCH.search(line):
        return Load(way="write", block_bytes=int(match["block"]) if match["block"] else 2**22)
    if match := rbd_bench.COMMAND.search(line):
        kind, random, block, threads = rbd_bench.asked(match)
        return Load(random, "mix" if kind == "rw" else kind, block, threads or 16)
    phrase = heading_of(line)
    if _OF_NOTHING.search(line):
        return None
    if re.search(r"\bdd\s.*\b[io]f=", line):
        if any(piped["sender"] for piped in dd.PIPED.finditer(line)):
            return Load(way="recv")  # what comes through a network
        writes = "if=/dev/zero" in line or "if=/dev/urandom" in line
        asked = _DD_BLOCK.search(line)
        return phrase.load._replace(
            way="read" if re.search(r"of=/dev/(?:null|zero)", line) else "write" if writes else None,
            block_bytes=size(asked[1], dd=True) if asked else phrase.load.block_bytes,
        )
    return phrase.load if OPTIONS.search(line) and phrase.load != Load() else None


def _asked_in(lines: Sequence[str]) -> Sequence[fio_job.AskedJob]:
    """The jobs of all job files and commands of fio."""
    text = "\n".join(lines)
    if not any(sign in text for sign in ("fio", "rw=", "readwrite=")):
        return ()
    try:
        return fio_job.read_jobs(text)
    except UnreadableFile:
        return ()


def _jobs_of(lines: Sequence[str], jobs: Sequence[fio_job.AskedJob]) -> dict[int, tuple[int, Load, tuple[Told, ...]]]:
    """First line of each job file and command of fio -> (its end, the load on which all of its jobs agree, what each of
    several jobs of different kinds was made with)."""
    found: dict[int, tuple[int, Load, tuple[Told, ...]]] = {}
    for block, own in fio_job.by_block(jobs).items():
        first = _with_settings_above(lines, block - 1) if own[0].last_line > block else block - 1
        common = Load()
        for line in lines[first : block - 1]:
            common = heading_of(line.partition("#")[0]).load.over(common)
        loads = [_asked(job).over(common) for job in own]
        asked = Load(*map(fio_job.agreed, zip(*(load[:5] for load in loads), strict=True)))
        end = max(job.last_line for job in own)
        # "fio with bs=4k, --rw=write": an option without its dashes
        spoken = heading_of(lines[block - 1]).load if end == block and len(own) == 1 else Load()
        told = tuple(Told(each.random, each.way, "", each.sizes) for each in loads)
        apart = len({each.selects for each in told}) == len(told) > 1
        found[first] = end, asked.over(spoken), told if apart else ()
    return found


_MOST_SETTINGS = 30
_SETTING = re.compile(r"\s*(?:[a-z_]{2,30}=\S+|group_reporting|time_based|stonewall|thread)\s*(?:#.*)?")


def _with_settings_above(lines: Sequence[str], block: int) -> int:
    """The first of the settings right above a job file whose [global] was cut off, or its own first line."""
    first = block
    for at in range(block - 1, max(-1, block - _MOST_SETTINGS), -1):
        if _SETTING.fullmatch(lines[at]):
            first = at
        elif lines[at].strip():
            break
    return first


_MOST_WORDS_BESIDE = 3
_AT_RANDOM = re.compile(
    r"(?<=[^,;:]) (?:at random|zufällig gewählt|au hasard|al azar|ao acaso|a caso|losowo|náhodně|наугад|вперемешку)",
    re.IGNORECASE,
)
"""Behind shares: so it chose what to do, and not where."""
_ORDERED = ("random", "sequential", "read", "write", "mixed")
_SEVERAL_LOADS = re.compile(r"rw[= ]\w+\s?[/,|]\s?(?:rand)?(?:read|write|rw)", re.IGNORECASE)
_LOADS = ("read", "write", "rw", "readwrite", "randread", "randwrite", "randrw")


def _asked(job: fio_job.AskedJob) -> Load:
    """What a job states; fio's defaults are not stated."""
    load = job.load or "" if job.options.get("rw", "") in _LOADS else ""
    way = "mix" if load.endswith("rw") else load.removeprefix("rand")
    stated = job.options
    depth, jobs = (stated.get(name, "").rstrip("`'\",.;:)") for name in ("iodepth", "numjobs"))
    return Load(
        load.startswith("rand") if load else None,
        way if way in ("read", "write", "mix") else None,
        job.block_bytes("read") if "bs" in stated else None,
        int(depth) if depth.isdecimal() else None,
        int(jobs) if jobs.isdecimal() else None,
    )
