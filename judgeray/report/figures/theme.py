"""How all charts look. Colours are names of the style sheet, so that dark mode and paper need no other chart."""

from __future__ import annotations

from typing import Any

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--ink-2)",
        "titleColor": "var(--ink-2)",
        "gridColor": "var(--line)",
        "domainColor": "var(--line-2)",
        "tickColor": "var(--line-2)",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelLimit": 130,
    },
    "axisQuantitative": {"tickCount": 5},
    "legend": {"labelColor": "var(--ink-2)", "labelFontSize": 11, "labelLimit": 110},
    "text": {"color": "var(--ink)", "limit": 90},
    "point": {"shape": "circle"},
}
"""Vega-Lite `config` of every chart."""

LEGENDS: dict[str, int] = {"outcome": 3, "share": 7, "delta": 7, "branch": 9, "series": 8}
"""Families of colours in the style sheet, `--NAME-0` upwards, with their sizes."""
