"""From a request to a cluster that is ready, watched, measured in, and cleaned."""
