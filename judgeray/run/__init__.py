"""Runs: where manifest, studies, engine, analysis and report are joined. The only room that knows both sides."""
