"""How to measure it again: one command, then every command of every cell, and the raw files."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from radoscope.records.study import Segment
from radoscope.report.material import Material, Section, Values
from radoscope.words import N_


@dataclass(frozen=True, slots=True)
class CellCommands:
    """The commands of a cell's first segment, one per client; segments: how many there were."""

    title: str
    commands: tuple[str, ...]
    segments: int
    raw_files: tuple[str, ...]


def prepare(material: Material) -> Values | None:
    if material.study.imported:
        return None
    cells = [_commands(cell.title, material.study.segments_of(cell.name)) for cell in material.study.cells]
    shown = tuple(cell for cell in cells if cell.commands or cell.raw_files)
    known = material.study.cells or material.face.sections
    return {"command": material.command, "cells": shown} if known else None


def _commands(title: str, segments: tuple[Segment, ...]) -> CellCommands:
    first = next((segment for segment in segments if segment.commands), None)
    commands = tuple(shlex.join(argv) for argv in first.commands) if first else ()
    return CellCommands(title, commands, len(segments), tuple(name for s in segments for name in s.raw_files))


SECTION = Section(
    "reproduce",
    prepare,
    title=N_("How to reproduce it"),
    short=N_("Reproduce"),
    lead=N_("The study as one command, then every command that it ran, verbatim."),
    nothing=N_("There are no commands to repeat."),
)
