"""The laboratory in a browser: pages over the same reports, results and runs that the command line has."""
