"""One way to put a line on the screen: never wrapped, nothing in it taken for markup."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from judgeray.report.text import visible


def say(console: Console, text: str, style: str = "", lead: str = "", lead_style: str = "bold") -> None:
    """Print one line, with an optional lead in a style of its own; control characters are shown, not obeyed."""
    line = Text(visible(lead), style=lead_style)
    line.append(visible(text), style=style or "default")
    console.print(line, soft_wrap=True)
