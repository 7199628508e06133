"""The words of the page that do not depend on values: headings, and texts for "nothing to show"."""
