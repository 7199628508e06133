"""The vocabulary of radoscope: frozen values, no I/O, no numpy."""
