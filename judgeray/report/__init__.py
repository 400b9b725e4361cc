"""From tables to what people read: Markdown and the terminal."""
