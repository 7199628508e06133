"""The source of a report in LaTeX: its lines without macros, a heading, a command and a row each on its own line.

Else rows of tables stay as they are: those who read tables know them.
"""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re

_SIGNS = ("\\begin{", "section{", "section*{")
_ARGUMENT = r"\{([^{}]{0,400})\}"
_TABLE = re.compile(
    r"(?<!\\)&|\\\\\s{0,20}$|\\(?:begin|end)\{(?:tabular|table|longtable|tabu)|\\[hc]line|\\(?:top|mid|bottom)rule"
)
_ROW_END = re.compile(r"(?:(?<=\\\\)|(?<=\\hline))\s{0,20}(?=\S)")
_STYLE = re.compile(r"\\(?:text(?:bf|it|tt|rm|sf)|emph|mathbf|num)" + _ARGUMENT)
_HEADING = re.compile(r"\s{0,20}\\((?:sub){0,2})section\*?" + _ARGUMENT + r"\s{0,20}")
_FRAME = re.compile(
    r"\s{0,20}\\(?:(?:begin|end|includegraphics|label|input|vspace)\*?(?:\[[^\[\]]{0,100}\])?\{[^{}]{0,200}\}(?:\[[^\[\]]{0,60}\])?"
    r"|centering|noindent|newpage|clearpage|bigskip|medskip|smallskip)(?![a-zA-Z])\s{0,20}"
)
_ITEM = re.compile(r"\s{0,20}\\item(?![a-zA-Z])\s{0,20}")
_QUANTITY = re.compile(r"\\(?:SI|qty)(?:\[[^\[\]]{0,60}\])?" + _ARGUMENT + _ARGUMENT)
_COMMAND = re.compile(
    r"\s{0,20}\\[a-zA-Z]{0,20}(?:cmd|command|shell|console|bash)[a-zA-Z]{0,20}" + _ARGUMENT + r"\s{0,20}"
)
"""Everybody names this macro as he likes."""
_MACRO = re.compile(r"\\[a-zA-Z]{1,30}\*?" + _ARGUMENT)
_DEEPEST = 3
_BLANK = re.compile(r"(?<=\w)(?:~|\\[,;: ])(?=[\w\\])")
_MATH = re.compile(r"\$\s?([~≈]?[\d.,]{1,20})\s?\$")
_SYMBOLS = (("{,}", ","), ("$\\mu$", "µ"), ("$\\approx$", "≈"), ("\\%", "%"), ("\\_", "_"), ("\\#", "#"), ("\\$", "$"))


def is_tex(text: str) -> bool:
    """Whether it is the source of a report."""
    return "\\" in text and any(sign in text for sign in _SIGNS)


def without_macros(line: str) -> Sequence[str]:
    """The lines that a line of a source stands for; itself where it has no macro, or is of a table."""
    if "\\" not in line and "~" not in line:
        return [line]
    if _TABLE.search(line):
        return [part for part in _ROW_END.split(_STYLE.sub(r"\1", line)) if part.strip()]
    for macro, symbol in _SYMBOLS:
        line = line.replace(macro, symbol)
    line = _BLANK.sub(" ", _MATH.sub(r"\1", _QUANTITY.sub(r"\1 \2", line)))
    line = _ITEM.sub("\n- ", _FRAME.sub("\n", line))
    for _ in range(_DEEPEST):
        line = _MACRO.sub(r"\1", _COMMAND.sub("\n\\1\n", _HEADING.sub(_heading, line)))
    return [part for part in line.split("\n") if part.strip()] or [""]


def _heading(match: re.Match[str]) -> str:
    marks = "##" + "#" * (len(match[1]) // len("sub"))
    return f"\n{marks} {match[2]}\n"
