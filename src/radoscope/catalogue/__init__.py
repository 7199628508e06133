"""Published results, drives and processors, as data files with their sources."""

from radoscope.catalogue.drives import Drive, Family, drives, find_drive, find_family, match_drive
from radoscope.catalogue.processors import Processor, find_processor, sockets
from radoscope.catalogue.results import PublishedResult, fitted, not_fitted, results

__all__ = [
    "Drive",
    "Family",
    "Processor",
    "PublishedResult",
    "drives",
    "find_drive",
    "find_family",
    "find_processor",
    "fitted",
    "match_drive",
    "not_fitted",
    "results",
    "sockets",
]
