"""Joins the stages: the only place that knows them all."""

from radoscope.workflow.assess import assess, load_study, study_folder
from radoscope.workflow.leftovers import clean_up, what_is_left

__all__ = [
    "assess",
    "clean_up",
    "load_study",
    "study_folder",
    "what_is_left",
]
