"""A folder or a pasted page -> records. Knows the formats; the formats do not know one another."""
