"""Joins the stages: the only place that knows them all, and the only loop."""

from radoscope.workflow.assess import assess, load_study, study_folder
from radoscope.workflow.bench import StudyDone
from radoscope.workflow.leftovers import clean_up, what_is_left
from radoscope.workflow.request import StudyRequest, Target, describe_plan
from radoscope.workflow.study import run_study

__all__ = [
    "StudyDone",
    "StudyRequest",
    "Target",
    "assess",
    "clean_up",
    "describe_plan",
    "load_study",
    "run_study",
    "study_folder",
    "what_is_left",
]
