"""Studies: arms and their procedures, what is recorded of them, and the diagnostics made of arms."""
