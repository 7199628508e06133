"""A module for each other tool: what it prints, read as it says it."""
