"""Tables as people make them: found, laid out, their headings and rows read, their results."""
