"""Studies: rows x arms, a procedure, and the verdict rows that come of it."""
