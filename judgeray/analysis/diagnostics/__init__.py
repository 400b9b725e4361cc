"""Tables behind the diagnostics of study 1 (arXiv 2603.28005, sections 4.4, 5 and 6): a grid in, a table out."""
