"""The words for what is expected, asked for, aimed at or true in theory, and for what came of it.

English, German, Dutch, Swedish, Danish, Norwegian, Finnish, French, Spanish, Portuguese, Italian, Romanian, Polish,
Czech, Slovak, Hungarian, Turkish, Greek, Ukrainian, Russian, Chinese, Japanese, Korean, Vietnamese, Indonesian.
Whoever reads of such a thing builds his pattern of these. A new language is a word more in each, nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from radoscope import patterns as re


def _beginning(stems: Iterable[str]) -> str:
    """A pattern of them: letters that part words begin one, others stand anywhere."""
    return "|".join(stem if re.match(r"[\u3040-\u9fff\uac00-\ud7af]", stem) else rf"\b{stem}" for stem in stems)


_EXPECTED_EN_DE = ("expected", "projected", "anticipated", "predicted", "erwartet", "voraussichtlich")
_EXPECTED_ELSEWHERE = (
    "attendu(?:e|s|es)?\\b", "esperad[oa]", "attes[oie]\\b", "attesa(?<!di attesa)\\b",
    "așteptat", "aşteptat", "asteptat",
    "verwacht", "förvänta", "forvente", "odotet", "várt\\b", "várható", "elvár[tá]",
    "oczekiwan", "očekáv[aá]n", "očakáv[aá]n", "очікуван(?!н)", "очікує", "ожидаем", "ожидает",
    "beklenen", "αναμενόμεν", "mong đợi", "dự kiến", "kỳ vọng", "diharapkan", "diperkirakan",
    "预期", "預期", "预计", "預計", "期望", "期待", "予想", "想定", "예상",
)  # fmt: skip
EXPECTED_ELSEWHERE = _beginning(_EXPECTED_ELSEWHERE)
"""English and German have forms that say that it came so: "as expected", "erwartungsgemäß"."""
EXPECTED = f"{_beginning(_EXPECTED_EN_DE)}|{EXPECTED_ELSEWHERE}"
EXPECTED_LITERALS = tuple(
    re.split(r"[\\(\[]", stem, maxsplit=1)[0] for stem in (*_EXPECTED_EN_DE, *_EXPECTED_ELSEWHERE)
)
"""One of them stands in each text that names what is expected, in small letters: a cheap look before dear ones."""
REQUIREMENTS = (
    r"\brequirements?\b|\bprerequisites\b|anforderung(?:en)?\b|voraussetzung|\bexigences?\b|\bprérequis"
    r"|\brequisit[oi]s?\b|\bcerințe|\bcerinţe|\b(?:systeem)?vereisten\b|\bkrav(?:en|ene|et|spec\w*)?\b|\bvaatimu"
    r"|\bwymagani[ae]\b|\bpožadav(?:ek|ky)\b|\bpožiadavky\b|\bkövetelmény|gereksinim|требовани[ея]|вимог[аи]|\bαπαιτήσεις"
    r"|要求(?![数數/]|サイズ)|要件|需求|요구 ?사항|요건|(?<!số )\byêu cầu(?! ?/)|\b(?:per)?syaratan\b"
)
REQUIRED = (
    r"\brequired\b|\bgefordert|\berforderlich|\brequis(?:e|es)?\b|\bexigée?s?\b|\brequerid[oa]|\bexigid[oa]"
    r"|\brichiest[oi]\b|\bnecesar[ăe]?\b|\bvereiste?\b|\bkräv(?:s|d|t)|\bkræv(?:es|et)|\bpåkrevd|\bvaadit"
    r"|\bwymagan[eyao]\b|\bpožadov[aá]n|\bszükséges|\bgereken\b|\bgerekli\b|\bпотрібн|\bтребуе|\bαπαιτούμεν"
    r"|所需(?!时间|時間)|必要(?:値|性能)|요구(?:치|값|$)|\bdiperlukan\b|\bdibutuhkan\b"
)
NEEDS = (
    r"\b(?:requiert|requièrent|exige[n]?|exigent|requiere[n]?|requer(?:em)?|richied(?:e|ono)|necesită|(?:are|avem"
    r"|au) nevoie"
    r"|behov|behöver|behøver|kräver|kræver|krever|tarvitse\w*|vaatii|potrebuj\w+|vyžaduj\w+|igényel\w*|gerektir\w*"
    r"|wymaga(?:ją|my)?|membutuhkan|memerlukan)\b|[がは]必要|必要です|потребує|χρειάζ\w+|απαιτεί"
    r"|\b(?:users?|those|any(?:one|body)|(?:work)?loads?|applications?|services?) (?:requir|demand)ing\b"
    r"|\b(?:benötig|verlang(?:e|en|t)\b|forder[nt]\b|(?:haben|lesen|schreiben|erreichen) will\b)"
    r"|\bbesoin (?:d['’]|de )|\b(?:si|quand|lorsque?|qui|quiconque) (?:l['’])?(?:on |vous |tu )?"
    r"(?:veut|veux|veulent|voulez|souhait\w+|réclam\w+)\b"
    r"|\b(?:si|quien(?:es)?|los que|cuando) (?:se |usted(?:es)? )?(?:quier\w+|exij\w+|busc\w+|dese\w+)\b"
)
"""Who says so has not got it."""
AIMS = (
    r"objectifs|objetivos|metas|obiettivi|obiectiv(?:e|ele)|doel(?:en|stelling(?:en)?|waarden?)|streefwaarden?"
    r"|mål(?:et|en|sättning(?:ar)?|sætning(?:er)?|setning(?:er)?)?|tavoit(?:e|teet)|cíle|ciele|célok"
    r"|célkitűzés(?:ek)?|hedef(?:ler|i|leri)?|цели|цілі|στόχο[ιςυ]|mục tiêu|sasaran"
)
"""How a list of goals is headed."""
AIM = (
    r"objectif|objetivo|meta(?!-)|obiettivo|obiectiv(?:ul)?|doel|cel|cíl(?:em)?|cieľ(?:om)?|cél(?:ja)?|ціль|мета|цель|норма(?=:)"
    r"|норматив"
)
"""One of them; a section so named may be about why a test was made."""
GOALS = rf"\btargets?\b|\bgoals?\b|\bziel|\bsoll\b|objecti|objetivo|\b(?:{AIMS}|{AIM})(?!\w)|目标|目標|목표"
THRESHOLDS = (
    r"(?:limits|quotas|thresholds|schwell(?:en)?werte|grenzwerte|obergrenzen|drempelwaarden|tröskelvärden"
    r"|tærskelværdier|grænseværdier|terskelverdier|grenseverdier|kynnysarvot|raja-arvot|seuils|umbrales|limiares|soglie"
    r"|praguri|progi|prahy|prahov[éá] hodnoty|küszöbérték(?:ek)?|eşik(?:ler| değer(?:ler)?i)|порогов\w{1,3} знач\w+"
    r"|пороги|κατώφλι\w*|ngưỡng|ambang batas)"
)
THEORETICAL = (
    r"theoretical|theoretisch\w*|th[ée]oriques?|te[óo]ric[oaie]?s?|teoretic\w*|teoretyczn\w*|teoretick\w*|teoretisk\w*"
    r"|teoreetti\w*|teor[ei]ti[ks]\w*|elméleti|teorik|теоретич\w*|θεωρητικ\w*|lý thuyết|理论|理論|이론"
)
MEASURED_ELSEWHERE = (
    r"gemessen|\bmesurée?s?|\bmedid[oa]|misurat|măsurat|gemeten|\bmätt\b|uppmätt|\bmålt[e]?\b|\bmita(?:ttu|tut)"
    r"|zmierzon|naměřen|\bnameran|\bmért\b|\bölçülen|измерен|виміря|\bμετρη|实测|實測|実測|실측|측정"
    r"|\bđo được|\bterukur\b|\bhasil pengukuran"
)
MEASURED = rf"\bmeasured\b|{MEASURED_ELSEWHERE}"
RESULTS_ELSEWHERE = (
    r"ergebnis|résultat|\bresultat|resultad|risultat|rezultat|\btulo(?:s|kset)\b|wynik|výsled|eredmény|sonuç"
    r"|результат|αποτελέσμ|kết quả|\bhasil\b|结果|結果|결과"
)
COMES = (
    r"outputs?|performances?|results?|gains?|numbers?|figures|values|throughput|iops|speeds?"
    r"|ausgaben?|leistung|werte|sorties?|valeurs|salidas?|saídas?|rendimiento|desempenho|valores|prestazioni|valori"
    r"|prestanda|ydelse|ytelse|prestaties|waarden|värde\w*|værdi\w*|verdi\w*|suorituskyky|arvot"
    r"|wyjści\w|wydajność|výst\w+|výkon\w*|hodnoty|teljesítmény\w*|értékek|performanț\w+|valori|performans\w*|değerler"
    r"|вывод|производительность|значения|продуктивність|значення|απόδοση|hiệu (?:năng|suất)|kinerja|nilai"
    rf"|(?:{RESULTS_ELSEWHERE})\w*"
)
"""What an output, a test or a machine is expected to come to."""
FORETOLD = (
    rf"(?<!\bas )(?<!than )(?<!wie )(?:{EXPECTED})\w* (?:(?!and\b|or\b|vs\b)\w+ ){{0,2}}(?:{COMES})(?!\w)"
    rf"|(?<!\w)(?:{COMES})(?: [^\W\d]+)? (?:{EXPECTED_ELSEWHERE})"
    r"|(?:预期|預期|预计|預計|期待される|予想される|予想|期待する|想定)的?"
    r"(?:输出|輸出|出力|结果|結果|性能|效能|效果|収益|收益)|예상 ?(?:출력|성능|결과|수치)"
)
"""Of a heading: below it stands what did not yet come."""
ACTUAL = (
    r"\b(?:actual|observed|real\b|tatsächlich|réel|obtenu|reales|reais|faktisk|verklig|werkelijk|todelli|skutečn"
    r"|skutočn|rzeczywist|tényleges|gerçek|\bπραγματικ|thực tế|aktual\b)|实际|實際|実際|실제|факт|реальн"
)
NOTHING_MEASURED = (
    r"\b(?:none of (?:this|(?:these|those)(?: (?:numbers|figures|values|rates))?|it|them|that)"
    r"|nothing (?:of this|here|below|above)"
    r"|no (?:number|figure|value)s? (?:here|below|above))"
    r" (?:has |have |was |were |is )(?:\w+ ){0,3}?(?:measured|run|tested|benchmarked)\b"
    r"|\b(?:numbers|figures|values|rates) (?:here |below |above )?(?:all )?(?:follow|are derived|are taken|come|stem)"
    r" from (?:the |a |their )?(?:data ?-?sheets?|spec(?:ification)?s?)\b"
    r"|\b(?:nichts (?:davon|hiervon)|nichts (?:hier|oben|unten)|keine[rs]? (?:davon|dieser \w+))(?: \w+){1,3}"
    r" (?:gemessen|getestet|gelaufen)\b"
    r"|\brien de (?:tout )?(?:cela|ceci) n['’]a (?:\w+ ){0,2}(?:mesuré|testé)"
    r"|\baucun de ces chiffres n['’]a (?:\w+ ){0,2}(?:mesuré|testé)"
    r"|\bnada de (?:esto|ello|lo anterior) se ha (?:medido|probado)|\bnada disso foi (?:medido|testado)"
    r"|\bniente di (?:tutto )?(?:questo|ciò) è stato (?:misurato|provato|testato)"
    r"|\bnic z tego nie (?:zostało |było )?(?:z?mierzo|testowa)\w+"
    r"|\bnic z toho (?:nebylo|jsme ne)\s?\w*(?:měřen|testován)\w*|\bniets (?:hier|daar)van is (?:gemeten|getest)"
    r"|ничего из этого (?:ещё |еще |пока )?не (?:измер|тестир|замер|запуск)\w+"
    r"|нічого з цього (?:ще )?не (?:вимір|тесту)\w+"
    r"|\bbunların hiçbiri (?:henüz )?(?:ölçülmedi|denenmedi|test edilmedi)"
    r"|(?:均|都|全部)(?:未|没有|沒有|并未)(?:经过?)?(?:实测|實測|实际测试|测量|測量)"
    r"|(?:いずれも|どれも|全て|すべて)[^、。]{0,10}(?:測定|計測|実測)(?:した(?:値|もの)では|して(?:い)?|値では)"
    r"(?:あり)?(?:ません|ない)"
    r"|(?:모두|전부) (?:실제로 )?(?:측정한|측정된) (?:값|것)이? 아니"
)
"""A sentence that says so of the numbers beside it."""
