"""One raw text -> records: a module for each format; `readers` has the tuple of all of them.

A reader module has a `NAME`, `find(lines)` for the blocks of its format among other lines, and `read(text)`; one of its
`SIGNS`, where it has any, is in every text of the format. To add one, write the module and append it to its `TOOLS`.
"""
