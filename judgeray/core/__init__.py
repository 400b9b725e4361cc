"""Calls, replies, procedures and replay: pure, standard library only."""
