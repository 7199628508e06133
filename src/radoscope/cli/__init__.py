"""The command line: one file a verb. The only place that prints, and one of two that catch everything."""
