"""Results in lists and sentences."""
