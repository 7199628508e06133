"""What all readers know: quantities and their units, phrases, blocks of lines, commands, JSON."""
