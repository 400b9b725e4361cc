"""The manifest: what is judged by whom, and how calls travel."""
