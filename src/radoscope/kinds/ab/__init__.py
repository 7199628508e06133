"""An A/B experiment: two states side by side in random blocks, and state A again at the end."""

from radoscope.kinds.ab.side import read, repeat
from radoscope.kinds.kind import Kind
from radoscope.kinds.rounds.show import print_study

KIND = Kind(name="ab", read=read, repeat=repeat, show=print_study)
