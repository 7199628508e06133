"""Study and summaries -> findings: what holds the cluster back, and what of a number cannot be trusted."""
