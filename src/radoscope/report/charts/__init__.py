"""Values -> SVG. A chart takes plain values and gives one <svg>; text stays text, colours are the page's variables."""
