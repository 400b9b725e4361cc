"""Calls in, replies kept: pools on Ray, journal and ledger, rounds, progress. The only room that imports Ray."""

import os

# Ray reads these when it is imported. The second reader of Ray Data costs seconds at the start of every small job.
os.environ.setdefault("RAY_DATA_USE_DATASOURCE_V2", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# A thread that is late must not start or join another Ray after this one has ended.
os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # its C++ core writes warnings over the progress display
