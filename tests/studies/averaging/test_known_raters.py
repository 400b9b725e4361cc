"""Raters of known rules and judges of known errors are told apart on the whole way from manifest to report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgeray.analysis.averaging.diagnostic import ALIKE, BIASED, NO_ANNOTATIONS, NO_EVIDENCE, TOO_WRONG
from tests.analysis.averaging.made_sentences import Rater, mean_rater, minimum_rater, mixture
from tests.studies.averaging.scripted_summaries import (
    GPT,
    HAIKU,
    Scripted,
    annotations_csv,
    erring,
    manifest_of,
    scripted,
    summary,
    write_summaries,
)
from tests.studies.scripted_judges import Judge

FAITHFUL = 0.8
MARKS = "annotations: '{folder}/marks.csv'"


def rated(rater: Rater, summaries: int = 240, lengths: Sequence[int] = (3, 4, 5)) -> list[dict[str, Any]]:
    """Summaries of independent sentences, two a document, as a rater of this rule calls them."""
    draws = np.random.Generator(np.random.PCG64(11))
    sizes = draws.choice(lengths, summaries)
    letters = ["".join("1" if draws.random() < FAITHFUL else "0" for _ in range(size)) for size in sizes]
    faithful = np.array([text.count("1") for text in letters])
    labels = rater(faithful, sizes)
    return [
        summary(f"d{number // 2:03d}:{number % 2}", text, int(label))
        for number, (text, label) in enumerate(zip(letters, labels, strict=True))
    ]


def study(folder: Path, rater: Rater, judge: Judge, averaging: str = MARKS) -> Scripted:
    """One judge on the summaries of one rater, all sentences annotated rightly."""
    rows = rated(rater)
    write_summaries(folder, rows)
    (folder / "marks.csv").write_text(annotations_csv(rows))
    return scripted(folder, manifest_of(averaging), judge)


def test_a_rater_of_the_minimum_gives_no_evidence(tmp_path: Path) -> None:
    """With a good judge the minimum goes with the label, and nothing is held against the people."""
    made = study(tmp_path, minimum_rater, erring(0.05))
    line = made.line("diagnostic")
    assert line["conclusion"] == NO_EVIDENCE
    assert line["valid"]
    assert line["difference_high"] < 0
    assert line["eps_low"] <= 0.05 <= line["eps_high"]
    assert line["p_low"] <= FAITHFUL <= line["p_high"]
    assert not made.line("mean_against_min", score="hard")["mean_at_least_min"]
    assert NO_EVIDENCE in (made.run / "report.html").read_text("utf-8")


def test_a_perfect_judge_sees_the_minimum_itself(tmp_path: Path) -> None:
    """Without errors the minimum is the label of a strict rater, and no summary is suspicious."""
    made = study(tmp_path, minimum_rater, erring(0.0))
    against = made.line("mean_against_min", score="hard")
    assert against["pearson_min"] == 1.0
    assert against["pearson_mean"] < 1.0
    assert made.line("diagnostic")["conclusion"] == NO_EVIDENCE
    assert made.line("suspicious")["suspicious"] == 0
    people, judge = made.line("composition", source="people"), made.line("composition", source="judge")
    kinds = ("mixed", "all_faithful", "all_unfaithful")
    assert [people[kind] for kind in kinds] == [judge[kind] for kind in kinds]


def test_a_rater_of_the_mean_is_found(tmp_path: Path) -> None:
    """The mean goes with the label, beyond chance, and faithful summaries hold flagged sentences."""
    made = study(tmp_path, mean_rater, erring(0.05))
    line = made.line("diagnostic")
    assert (line["conclusion"], line["beyond_chance"]) == (BIASED, True)
    assert line["difference_low"] > 0
    suspicious = made.line("suspicious")
    assert suspicious["share"] > 0.3
    assert BIASED in (made.run / "report.md").read_text("utf-8")


@pytest.mark.parametrize(("fraction", "conclusion"), [(0.1, NO_EVIDENCE), (0.9, BIASED)])
def test_mixtures_go_with_their_larger_part(tmp_path: Path, fraction: float, conclusion: str) -> None:
    """Few averaging raters leave no evidence, many do; the gap is about what the simulation expects of them."""
    made = study(tmp_path, mixture(fraction), erring(0.03))
    assert made.line("diagnostic")["conclusion"] == conclusion
    expected = made.line("gap_simulation", judge_kind="measured", fraction=fraction)["gap"]
    against = made.line("mean_against_min", score="hard")
    assert against["difference_low"] < expected < against["difference_high"]


def test_a_judge_above_the_threshold_says_nothing(tmp_path: Path) -> None:
    """A judge that errs too often would hold averaging against strict raters: the diagnostic does not apply."""
    made = study(tmp_path, minimum_rater, erring(0.3))
    line = made.line("diagnostic")
    assert line["eps_low"] > line["epsilon_0"]
    assert (line["conclusion"], line["valid"]) == (TOO_WRONG, False)
    assert line["unbiased_difference"] > 0


def test_each_judge_is_held_against_its_own_errors(tmp_path: Path) -> None:
    """A good judge and a bad one on the same data come to conclusions of their own."""
    rows = rated(mean_rater)
    write_summaries(tmp_path, rows)
    (tmp_path / "marks.csv").write_text(annotations_csv(rows))
    judges = {"gpt-4.1": erring(0.04), "claude-haiku-4-5": erring(0.35)}
    made = scripted(tmp_path, manifest_of(MARKS, f"{GPT}, {HAIKU}"), judges)
    assert made.line("diagnostic", judge="gpt")["conclusion"] == BIASED
    assert made.line("diagnostic", judge="haiku")["conclusion"] == TOO_WRONG
    both = made.line("suspicious")
    assert both["judges"] == 2


def test_without_annotations_nothing_is_concluded(tmp_path: Path) -> None:
    """The correlations are there, but nobody knows how often the judge errs."""
    made = study(tmp_path, mean_rater, erring(0.05), "sentences: pysbd")
    assert made.line("diagnostic")["conclusion"] == NO_ANNOTATIONS
    assert made.line("mean_against_min", score="hard")["mean_at_least_min"]
    assert not (made.run / "tables" / "gap_simulation.csv").exists()


def small(folder: Path, rows: Sequence[dict[str, Any]], judge: Judge) -> Scripted:
    """A few summaries, all sentences annotated."""
    write_summaries(folder, rows)
    (folder / "marks.csv").write_text(annotations_csv(rows))
    return scripted(folder, manifest_of(MARKS), judge)


def test_labels_that_do_not_vary_correlate_with_nothing(tmp_path: Path) -> None:
    """Everybody is content: correlations are null, and the reason is given."""
    made = small(tmp_path, [summary(f"{name}:1", "101", 1) for name in "abcd"], erring(0.2))
    line = made.line("mean_against_min", score="hard")
    assert (line["pearson_min"], line["difference"], line["mean_at_least_min"]) == (None, None, None)
    assert line["reason"] == "all labels are alike"
    assert "all labels are alike" in (made.run / "report.md").read_text("utf-8")


def test_scores_that_do_not_vary_correlate_with_nothing(tmp_path: Path) -> None:
    """A judge that calls everything faithful: null, with its reason, and no threshold where sentences are alike."""
    rows = [summary(f"{name}:1", "111", int(name < "c")) for name in "abcd"]
    made = small(tmp_path, rows, erring(0.0))
    assert made.line("mean_against_min", score="hard")["reason"] == "all scores are alike"
    line = made.line("diagnostic")
    assert (line["epsilon_0"], line["conclusion"]) == (None, ALIKE)


def test_claims_are_aggregated_like_sentences(tmp_path: Path) -> None:
    """One level down: a sentence is judged by claims, of which one is always right."""
    rows = rated(minimum_rater, 40)
    write_summaries(tmp_path, rows)
    (tmp_path / "marks.csv").write_text(annotations_csv(rows))
    made = scripted(tmp_path, manifest_of(f"{MARKS}, claims: {{writer: gpt}}"), erring(0.0))
    line = made.line("claim_mean_against_min", score="hard")
    assert (line["pearson_min"], line["told_apart"]) == (1.0, False)
    statistics = made.line("claim_statistics")
    assert (statistics["mean_claims"], statistics["share_with_two"]) == (2.0, 1.0)
