"""The command line: thin; every command is a function elsewhere."""
