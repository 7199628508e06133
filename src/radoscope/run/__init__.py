"""Trial -> bundle: runs the tools, keeps what they print verbatim, removes what was made. Never reads a result."""
