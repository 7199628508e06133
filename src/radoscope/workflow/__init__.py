"""Joins the stages: the only place that knows them all."""

from radoscope.workflow.assess import assess, load_study, study_folder

__all__ = ["assess", "load_study", "study_folder"]
