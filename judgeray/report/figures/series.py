"""Series of any number: a colour each, and a shape and dash of their own where colours come round again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from judgeray.report.figures.figure import Spec, colour, shown

COLOURS = 8
"""Series that the style sheet can tell apart by colour alone."""

IN_CHART = "in_chart"
"""What colours mean in a figure whose charts have legends of their own."""

_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_DASHES: tuple[list[int], ...] = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4], [1, 3])


def series(field: str, names: Sequence[str], present: Collection[str], *, lines: bool) -> Spec:
    """Give the encoding of `field`, with a legend of the names that are `present`.

    A name looks the same in every chart that has the same `names`.
    """
    chosen = [(number, name) for number, name in enumerate(names) if name in present]
    rounds = [number // COLOURS % len(_SHAPES) for number, _ in chosen]
    domain = [shown(name) for _, name in chosen]
    looks = {
        "color": [colour(number) for number, _ in chosen],
        "shape": [_SHAPES[turn] for turn in rounds],
        "strokeDash": [_DASHES[turn] for turn in rounds],
    }
    legend = {"title": None, "orient": "bottom", "columns": 3, "symbolLimit": 0, "symbolOpacity": 1}
    return {
        channel: {"field": field, "type": "nominal", "scale": {"domain": domain, "range": look}, "legend": legend}
        for channel, look in looks.items()
        if lines or channel != "strokeDash"
    }
