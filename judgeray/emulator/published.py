"""How often the judges of study 1 were right, per design and class of row (arXiv 2603.28005)."""

from __future__ import annotations

Table = dict[str, dict[str, dict[str, float]]]
_PARTIAL, _LIST = "partially_supported", "partially_supported_list"


def _design(supported: float, unsupported: float, partial: float, partial_list: float) -> dict[str, float]:
    return {"supported": supported, "unsupported": unsupported, _PARTIAL: partial, _LIST: partial_list}


# Columns two to four are Table 15 (TruthfulQA, ASQA, QAMPARI). The first is the mean over the datasets of
# twice the accuracy of Table 2 minus Table 15, which is the accuracy on supported rows.
# Sonnet was run with C and H only: its R and B stand between Opus and GPT-4.1. The schema-matched S was run on
# slices of TruthfulQA and ASQA (Table 8), where it read unsupported rows as C did and partial rows somewhat better:
# all else of it stands between C and H.
PUBLISHED: Table = {
    "claude-opus-4-6": {
        "C": _design(1.0, 0.95, 0.555, 0.95),
        "H": _design(1.0, 0.94, 0.70, 0.985),
        "R": _design(1.0, 0.97, 0.95, 0.99),
        "B": _design(1.0, 0.96, 0.80, 0.965),
        "S": _design(1.0, 0.95, 0.60, 0.965),
    },
    "claude-sonnet-4-6": {
        "C": _design(1.0, 0.95, 0.43, 0.925),
        "H": _design(1.0, 0.89, 0.62, 0.99),
        "R": _design(0.995, 0.96, 0.91, 0.995),
        "B": _design(0.995, 0.96, 0.71, 0.98),
        "S": _design(1.0, 0.94, 0.47, 0.95),
    },
    "gpt-4.1": {
        "C": _design(0.985, 0.96, 0.16, 0.865),
        "H": _design(0.99, 0.94, 0.465, 0.995),
        "R": _design(0.992, 0.955, 0.87, 1.0),
        "B": _design(0.992, 0.96, 0.61, 0.995),
        "S": _design(0.99, 0.96, 0.24, 0.91),
    },
    "gemini-3.1-flash-lite-preview": {
        "C": _design(0.99, 0.93, 0.125, 0.905),
        "H": _design(0.973, 0.87, 0.455, 0.995),
        "R": _design(0.995, 0.915, 0.745, 0.995),
        "B": _design(0.995, 0.935, 0.52, 0.99),
        "S": _design(0.985, 0.925, 0.21, 0.935),
    },
    # Near the mean of the judges above.
    "default": {
        "C": _design(0.99, 0.945, 0.32, 0.91),
        "H": _design(0.99, 0.91, 0.56, 0.99),
        "R": _design(0.995, 0.95, 0.87, 0.995),
        "B": _design(0.995, 0.955, 0.66, 0.985),
        "S": _design(0.99, 0.94, 0.38, 0.94),
    },
}
"""Probability of the right verdict, by model, design and class; `default` stands for every other model."""
