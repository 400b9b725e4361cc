"""Verifying a run directory: everything derived is made again from the ledger and compared."""
