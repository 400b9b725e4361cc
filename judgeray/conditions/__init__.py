"""Conditions: changes to a row before it is judged, with its label held fixed."""
