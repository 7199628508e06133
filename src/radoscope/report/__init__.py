"""Study, summaries and findings -> HTML, Markdown, and plain values for a terminal."""

from radoscope.report.anonymous import anonymise
from radoscope.report.document import render_html
from radoscope.report.markdown import render_markdown

__all__ = ["anonymise", "render_html", "render_markdown"]
