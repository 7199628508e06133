"""Joins the stages: the only place that knows them all."""

from radoscope.workflow.assess import assess, compare_studies, load_study, study_folder, study_ids

__all__ = ["assess", "compare_studies", "load_study", "study_folder", "study_ids"]
