"""Writers: prompts that are answered with text, and what becomes of the text."""
