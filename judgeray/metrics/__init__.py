"""Metrics: procedures of one call or several that return a number."""
