"""Judge designs: one file each, holding the prompt, the call and the reading."""
