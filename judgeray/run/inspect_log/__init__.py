"""A run as Inspect eval logs. `export` loads the modules that need the package inspect-ai only once it is asked."""
