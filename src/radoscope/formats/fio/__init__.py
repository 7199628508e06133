"""What fio prints and logs: its report as text, terse and JSON, its logs, its job files."""
