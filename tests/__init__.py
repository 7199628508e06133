"""The tests, a mirror of src/radoscope."""
