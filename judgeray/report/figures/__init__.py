"""Charts as Vega-Lite specifications: tables in, JSON out; no drawing happens here."""
