"""From a scores log to the tables of study 2 (arXiv 2609.15561), and from people's choices to its section 4."""

from __future__ import annotations

from judgeray.analysis.scores.choices import read_choices
from judgeray.analysis.scores.contingency import contingency
from judgeray.analysis.scores.human_validation import human_validation
from judgeray.analysis.scores.ladder_losses import ladder_flags, ladder_losses
from judgeray.analysis.scores.log import read_scores
from judgeray.analysis.scores.tables import analyze_scores

__all__ = [
    "analyze_scores",
    "contingency",
    "human_validation",
    "ladder_flags",
    "ladder_losses",
    "read_choices",
    "read_scores",
]
