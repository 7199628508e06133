"""Statistics against closed forms, published tables and scipy."""
