"""Diagnostics: one file each, listed in the registry."""
