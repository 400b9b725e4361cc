"""One file per API; the only rooms that import a provider's SDK."""
