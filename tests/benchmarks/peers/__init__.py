"""How people judge rows with other tools: each a script `PEER.py URL ROWS CONCURRENCY`, over chat completions."""
