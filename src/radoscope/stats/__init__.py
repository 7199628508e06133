"""Study -> summaries: pure functions, numpy arrays in, values out."""
