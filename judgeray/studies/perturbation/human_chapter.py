"""Human validation of perturbed answers: are those of the pipeline as good as an expert's? (study 2, section 4)"""

from __future__ import annotations

import polars as pl

from judgeray.analysis.scores.choices import CHOICES
from judgeray.analysis.scores.contingency import contingency
from judgeray.analysis.scores.human_validation import human_validation
from judgeray.report.chapter import Chapter
from judgeray.studies.diagnostics.shapes import listing, number, share, text_of


def human_chapter(choices: pl.DataFrame) -> Chapter:
    """Show both evaluators' choices, and whether the pipeline is not inferior to the expert."""
    table, counted = human_validation(choices), contingency(choices)
    names = ("levels", "items", "questions", "both_ai", "one_ai", "neither", "opposed", "one_expert", "both_expert")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "ties": number("tie_share", 3), "kappa": share("cohen_kappa"), "composite": number("mean_composite", 3),
        "bound": number("bound_by_question", 3), "not inferior": text_of("non_inferior_by_question"),
        "power": number("power_by_question", 2),
    }  # fmt: skip
    told = ("levels", "evaluator", "other_evaluator", "choice", *CHOICES)
    return Chapter(
        "human_validation",
        "Human validation of the perturbed answers",
        "study 2 (arXiv 2609.15561), section 4 and Table 1",
        "Two evaluators chose, for each level of each question, between the pipeline's answer and an expert's. "
        "The composite score is +1 where the pipeline is preferred, -1 where the expert is, 0 for ties.",
        {"human_validation": table, "contingency": counted},
        (
            listing("Composite score and non-inferiority", table, columns | measures),
            listing(
                "Choices of both evaluators",
                counted,
                {name.replace("_", " "): text_of(name) for name in told},
            ),
        ),
        (
            (
                "Not inferior means that the one-sided 95% bound lies above the margin. Bounds resample questions; "
                "the study's own resample items (bound_by_item in tables/human_validation.csv)."
            ),
            "A0 is shown apart: it is a paraphrase, and nearly everyone ties there.",
        ),
    )
