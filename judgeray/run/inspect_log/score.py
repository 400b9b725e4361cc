"""Verdicts as Inspect scores, and an arm's accuracy as Inspect results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from inspect_ai.log import EvalMetric, EvalResults, EvalScore
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score

from judgeray.core.status import UNSETTLED
from judgeray.run.inspect_log.arm_rows import VerdictRow
from judgeray.run.inspect_log.names import plain
from judgeray.stats.clustered_errors import METHOD, ratio_errors

SCORER = "verdict"
"""Name of the one score of a sample."""

METRICS: list[dict[str, Any]] = [
    {"name": "inspect_ai/accuracy"},
    {"name": "inspect_ai/stderr", "options": {"cluster": "question_id"}},
]
"""What Inspect computes where it sums up such a log again, for example after a score was edited."""

_FACTS = ("status", "parse_branch", "score", "confidence", "question_id", "complexity", "simulated")
_REASONS = {"unparsed": "invalid_response_format", "refused": "refusal", "truncated": "truncated"}


def is_settled(row: VerdictRow) -> bool:
    """Whether a reply settled the row; all others have no score."""
    return row["status"] not in UNSETTLED


def score_of(row: VerdictRow) -> Score:
    """Score a settled row: C or I for a verdict, N for a reply without one, which Inspect counts as wrong too."""
    label, facts = row["label"], {name: plain(row[name]) for name in _FACTS}
    if row["status"] != "ok":
        told = plain(f"The reply holds no verdict ({row['status']}); the label is {label}.")
        return Score(value=NOANSWER, explanation=told, reason=_REASONS[row["status"]], metadata=facts)
    return Score(
        value=CORRECT if _is_correct(row) else INCORRECT,
        answer=plain(row["verdict"]),
        explanation=plain(f"The verdict is {row['verdict']}, the label {label}."),
        metadata=facts,
    )


def results_of(rows: Sequence[VerdictRow]) -> EvalResults:
    """Sum up an arm with the numbers of table `standard_errors`: accuracy over settled rows, and its CR1 error.

    A number that is not known (no settled row, fewer than two questions) is left out.
    """
    settled = [row for row in rows if is_settled(row)]
    score = EvalScore(
        name=SCORER,
        scorer=SCORER,
        scored_samples=len(settled),
        unscored_samples=len(rows) - len(settled),
        metrics={metric.name: metric for metric in _metrics(settled)},
    )
    return EvalResults(total_samples=len(rows), completed_samples=len(settled), scores=[score])


def _metrics(settled: Sequence[VerdictRow]) -> Iterator[EvalMetric]:
    counts = Counter(row["question_id"] for row in settled)
    correct = Counter(row["question_id"] for row in settled if _is_correct(row))
    questions = sorted(counts)
    sums = [[correct[name] for name in questions]], [[counts[name] for name in questions]]
    (error,) = ratio_errors(*sums, unit="share of rows")
    if error.estimate.value is not None:
        yield EvalMetric(name="accuracy", value=error.estimate.value)
    if error.standard_error is not None:
        facts = {"questions": len(questions), "method": METHOD}
        yield EvalMetric(
            name="stderr", value=error.standard_error, params={"cluster": "question_id"}, metadata=facts
        )


def _is_correct(row: VerdictRow) -> bool:
    return bool(row["status"] == "ok" and row["verdict"] == row["label"])
