"""plan.toml, or a plan by name -> cells and trials. Pure: nothing here touches a cluster."""

from radoscope.plan.expand import Trial, cells_of, shuffled_round
from radoscope.plan.load import load, load_text, named_plans, plan_text
from radoscope.plan.schema import Plan

__all__ = ["Plan", "Trial", "cells_of", "load", "load_text", "named_plans", "plan_text", "shuffled_round"]
