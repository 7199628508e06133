"""Rounds: short segments of all cells in random order, until each is precise."""

from radoscope.kinds.kind import Kind
from radoscope.kinds.rounds.show import print_study

KIND = Kind(name="rounds", show=print_study)
