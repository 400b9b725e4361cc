"""What a run tells while it works: metrics for Prometheus, and structured logs."""
