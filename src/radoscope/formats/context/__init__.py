"""What a page says around its results: conditions, promises, suppositions, sections that hold none."""
