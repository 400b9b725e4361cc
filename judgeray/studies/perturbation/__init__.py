"""Study 2: answers made wrong step by step, and the metrics that should notice (arXiv 2609.15561)."""
