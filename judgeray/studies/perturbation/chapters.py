"""The chapters of a perturbation study's report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import polars as pl

from judgeray.analysis.scores.ladder_losses import ladder_flags, ladder_losses
from judgeray.analysis.scores.tables import analyze_scores
from judgeray.report.chapter import Chapter
from judgeray.report.figures.degradation import degradation_figure
from judgeray.report.figures.size_quality import size_quality_figure
from judgeray.report.view import View
from judgeray.studies.diagnostics.shapes import change, listing, number, probability, share, text_of
from judgeray.studies.perturbation.human_chapter import human_chapter

SOURCE = "study 2 (arXiv 2609.15561)"
_PLACE = ("dataset", "metric", "judge")


@dataclass(frozen=True)
class ScoreLog:
    """What is there: scores as `read_scores` gives them, ladders, and human choices."""

    scores: pl.DataFrame
    ladders: pl.DataFrame | None = None
    choices: pl.DataFrame | None = None


def score_chapters(log: ScoreLog) -> Iterator[Chapter]:
    """Yield the chapters that have something to tell, the main one first."""
    tables = analyze_scores(log.scores)
    yield _tracking(tables)
    yield _steps(tables)
    for build, name in ((_contrasts, "metric_contrasts"), (_controls, "controls")):
        if not tables[name].is_empty():
            yield build(tables)
    if tables["size_quality"]["size_billions"].drop_nulls().n_unique() > 1:
        yield _sizes(tables)
    if log.ladders is not None:
        yield _ladders(log.ladders)
    if log.choices is not None:
        yield human_chapter(log.choices)


Tables = Mapping[str, pl.DataFrame]


def _tracking(tables: Tables) -> Chapter:
    table = tables["tracking"]
    best_first = table.sort("dataset", "kendall", "pearson", *_PLACE, nulls_last=True)
    columns = {name: text_of(name) for name in (*_PLACE, "questions")}
    measures = {
        "Kendall": share("kendall"), "Pearson": share("pearson"), "strict order": share("strict_order_share"),
        "undefined": text_of("questions_undefined"), "USD an answer": number("mean_cost_usd", 6),
        "why undefined": text_of("reason"),
    }  # fmt: skip
    return Chapter(
        "tracking",
        "Which metric tracks damage",
        f"{SOURCE}, section 5 and Table 2",
        "Answers are made wrong step by step: A0 is a faithful paraphrase, and each further level holds one more "
        "group of wrong facts. A metric that tracks damage falls at each step: Kendall's tau within a question, "
        "averaged over questions, and Pearson over all answers are then near -1.",
        {"tracking": table, "level_means": tables["level_means"]},
        (listing("Correlation of score and level, best first", best_first, columns | measures), _means(tables)),
        (
            (
                "A question whose scores are all equal has no tau: it is counted as undefined, and left out of the "
                "mean."
            ),
            "Levels were made by models; a later level may have changed a fact that hardly matters.",
        ),
        (partial(degradation_figure, "degradation", tables["level_means"]),),
    )


def _means(tables: Tables) -> View:
    columns = {name: text_of(name) for name in (*_PLACE, "level", "questions", "missing")}
    return listing("Mean score by level", tables["level_means"], columns | {"mean": share("mean")})


def _steps(tables: Tables) -> Chapter:
    names = (*_PLACE, "from_level", "to_level", "questions", "fell", "rose", "tied")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {"change": change("change"), "p": probability("p_sign"), "p Holm": probability("p_holm")}
    return Chapter(
        "steps",
        "Step by step",
        f"{SOURCE}, section 5",
        "Each level against the next, question by question: where a metric no longer sees further damage.",
        {"steps": tables["steps"]},
        (listing("Change of the score at each step", tables["steps"], columns | measures),),
        (
            (
                "The exact sign test counts questions whose score fell against those whose score rose; ties are "
                "left out."
            ),
        ),
    )


def _contrasts(tables: Tables) -> Chapter:
    names = ("dataset", "metric_a", "judge_a", "metric_b", "judge_b", "questions")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "Δ tau": change("delta_kendall"), "Δ Pearson": change("delta_pearson"), "won": text_of("wins_a"),
        "lost": text_of("wins_b"), "p": probability("p_sign"), "p Holm": probability("p_holm"),
    }  # fmt: skip
    return Chapter(
        "metric_contrasts",
        "Metrics against each other",
        "beyond study 2",
        "Two metrics on the same answers: above zero where a follows the levels more closely than b.",
        {"metric_contrasts": tables["metric_contrasts"]},
        (listing("Tracking, a minus b", tables["metric_contrasts"], columns | measures),),
        ("Holm adjusts over all pairs of this table.",),
    )


def _controls(tables: Tables) -> Chapter:
    names = (*_PLACE, "control", "questions", "fell", "rose", "tied")
    columns = {name: text_of(name) for name in names}
    measures = {
        "change": change("change"), "first fall": number("first_fall", 3),
        "moved less than that": share("still_share"), "p": probability("p_sign"), "p Holm": probability("p_holm"),
    }  # fmt: skip
    return Chapter(
        "controls",
        "Controls that keep every fact",
        f"{SOURCE}, section 6 asks for them",
        "A0 with content-free phrases appended, its sentences in another order, or its style changed. Scores "
        "should stay: 'first fall' is the mean fall from A0 to A1 to compare with.",
        {"controls": tables["controls"]},
        (listing("Change against A0", tables["controls"], columns | measures),),
        ("Reordering can leave a pronoun before the name it stands for.",),
    )


def _sizes(tables: Tables) -> Chapter:
    known = tables["size_quality"].drop_nulls("size_billions")
    columns = {name: text_of(name) for name in (*_PLACE, "models")}
    measures = {
        "billions": number("size_billions", 1), "Kendall": share("kendall"), "Pearson": share("pearson"),
    }  # fmt: skip
    return Chapter(
        "size_quality",
        "Size against quality",
        f"{SOURCE}, section 5",
        "Whether a larger model tracks damage better, where the model's name tells its size.",
        {"size_quality": tables["size_quality"]},
        (listing("By size", known.sort("dataset", "size_billions", *_PLACE), columns | measures),),
        ("Models differ in more than their size.",),
        (partial(size_quality_figure, "size-quality", tables["size_quality"]),),
    )


def _ladders(ladders: pl.DataFrame) -> Chapter:
    losses, flags = ladder_losses(ladders), ladder_flags(ladders)
    told = {name: text_of(name) for name in ("dataset", "outcome", "step", "reason", "questions")}
    marked = {name: text_of(name) for name in ("dataset", "variant", "flag", "answers", "flagged")}
    return Chapter(
        "ladders",
        "How answers were made wrong",
        f"{SOURCE}, section 3",
        "The reference is paraphrased (A0), the factual spans of A0 are ranked and dealt to the levels, and each "
        "level changes one group on top of the level before. Questions that a step lost are counted with the "
        "reason.",
        {"ladder_losses": losses, "ladder_flags": flags},
        (
            listing("What became of the questions", losses, told | {"share": number("share", 3)}),
            listing(
                "What answers are marked with", flags.drop_nulls("flag"), marked | {"share": number("share", 3)}
            ),
        ),
        ("Marked answers stay in all tables: tables/ladder_flags.csv tells how many there are.",),
    )
