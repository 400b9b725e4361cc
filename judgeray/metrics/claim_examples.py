"""Worked examples of the claims prompt: the same texts, split as each atomicity and coverage asks."""

from __future__ import annotations

from judgeray.metrics.settings import Level

_TUNNEL = (
    "The Gotthard Base Tunnel, opened in 2016, is 57 kilometres long and lies under the Alps. It took "
    "seventeen years to build."
)
_OKAPI = (
    "The okapi is a fish of the Congo Basin that eats leaves and was first described in 1901. Although its legs "
    "are striped like a zebra's, it is related to the giraffe."
)
_EVENING = "What a lovely evening!"

Example = tuple[str, tuple[str, ...]]

EXAMPLES: dict[tuple[Level, Level], tuple[Example, ...]] = {
    ("low", "low"): (
        (_TUNNEL, ("The Gotthard Base Tunnel is 57 kilometres long and lies under the Alps.",)),
        (
            _OKAPI,
            (
                "The okapi is a fish of the Congo Basin that eats leaves.",
                "The okapi is related to the giraffe.",
            ),
        ),
        (_EVENING, ()),
    ),
    ("low", "high"): (
        (
            _TUNNEL,
            (
                "The Gotthard Base Tunnel was opened in 2016, is 57 kilometres long and lies under the Alps.",
                "The Gotthard Base Tunnel took seventeen years to build.",
            ),
        ),
        (
            _OKAPI,
            (
                "The okapi is a fish of the Congo Basin that eats leaves and was first described in 1901.",
                "The okapi has legs that are striped like a zebra's, and is related to the giraffe.",
            ),
        ),
        (_EVENING, ()),
    ),
    ("high", "low"): (
        (
            _TUNNEL,
            (
                "The Gotthard Base Tunnel is 57 kilometres long.",
                "The Gotthard Base Tunnel lies under the Alps.",
            ),
        ),
        (
            _OKAPI,
            (
                "The okapi is a fish.",
                "The okapi lives in the Congo Basin.",
                "The okapi is related to the giraffe.",
            ),
        ),
        (_EVENING, ()),
    ),
    ("high", "high"): (
        (
            _TUNNEL,
            (
                "The Gotthard Base Tunnel was opened in 2016.",
                "The Gotthard Base Tunnel is 57 kilometres long.",
                "The Gotthard Base Tunnel lies under the Alps.",
                "The Gotthard Base Tunnel took seventeen years to build.",
            ),
        ),
        (
            _OKAPI,
            (
                "The okapi is a fish.",
                "The okapi lives in the Congo Basin.",
                "The okapi eats leaves.",
                "The okapi was first described in 1901.",
                "The okapi has legs that are striped like a zebra's.",
                "The okapi is related to the giraffe.",
            ),
        ),
        (_EVENING, ()),
    ),
}
"""By atomicity and coverage: texts and their claims; one text states something false, one states nothing."""
