"""Arrays in, estimates out: no files, no frames, no knowledge of judges."""
