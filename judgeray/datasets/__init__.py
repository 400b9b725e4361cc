"""Benchmark files and tables, read into rows."""
