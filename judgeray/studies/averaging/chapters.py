"""The chapters of an averaging study's report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import polars as pl

from judgeray.analysis.averaging.tables import Tables
from judgeray.report.chapter import Chapter
from judgeray.report.figures.composition import composition_figure
from judgeray.report.figures.error_thresholds import error_threshold_figure
from judgeray.report.figures.gap_curves import gap_figure
from judgeray.report.view import View
from judgeray.studies.averaging.cells import SOURCE, give_or_take, named
from judgeray.studies.averaging.claims_chapter import claims_chapter
from judgeray.studies.diagnostics.shapes import Cell, change, listing, number, share, text_of

_SHOWN_SENTENCES = 100


def averaging_chapters(tables: Tables) -> Iterator[Chapter]:
    """Yield the chapters that have something to tell, the main one first."""
    yield _correlations(tables)
    yield _diagnostic(tables)
    if not tables["gap_simulation"].is_empty():
        yield _gaps(tables["gap_simulation"])
    yield _suspicious(tables)
    yield _composition(tables["composition"])
    if "claim_aggregation" in tables:
        yield claims_chapter(tables)
    yield _caching(tables["caching"])


def _correlations(tables: Tables) -> Chapter:
    against, whole = tables["mean_against_min"], tables["aggregation"]
    columns = {name: text_of(name) for name in ("dataset", "judge", "score", "summaries")}
    measures: dict[str, Cell] = {
        "min": give_or_take("min"), "mean": give_or_take("mean"), "mean - min": change("difference"),
        "mean >= min": text_of("mean_at_least_min"), "told apart": text_of("told_apart"),
        "why not": text_of("reason"),
    }  # fmt: skip
    further = {
        "Pearson": share("pearson"), "Spearman": share("spearman"), "Kendall": share("kendall"),
        "ROC-AUC": share("roc_auc"),
    }  # fmt: skip
    keys = {name: text_of(name) for name in ("dataset", "judge", "score", "aggregator", "summaries", "missing")}
    return Chapter(
        "aggregation",
        "Minimum or mean",
        f"{SOURCE}, Table 2 and appendix E",
        "Each judge's labels of the sentences of a summary, by their minimum and by their mean, against the one "
        "human label of the summary: Pearson's correlation with half the width of its 95% interval.",
        {"aggregation": whole, "mean_against_min": against, "subsets": tables["subsets"]},
        (
            listing("Correlation with the human label", against, columns | measures),
            listing("By other measures", whole, keys | further),
            _subsets(tables["subsets"]),
        ),
        (
            "A larger correlation is agreement with human behaviour, not with a strict definition of faithfulness.",
            "'told apart' is no where the mean orders summaries as the minimum does: then it says nothing.",
        ),
    )


def _subsets(table: pl.DataFrame) -> View:
    names = ("dataset", "subset", "documents", "summaries", "faithful", "unfaithful", "sentences", "fragments")
    columns = {name: text_of(name) for name in names}
    sizes = {"mean": number("mean_sentences", 2), "sd": number("sd_sentences", 2)}
    return listing("What was judged", table, columns | sizes)


def _diagnostic(tables: Tables) -> Chapter:
    table = tables["diagnostic"]
    columns = {name: text_of(name) for name in ("dataset", "judge", "annotated", "compared")}
    measures = {
        "p": share("p"), "error": share("eps"), "threshold": number("epsilon_0", 4),
        "unconditional": text_of("unconditional"), "valid": text_of("valid"), "mean - min": change("difference"),
        "beyond chance": text_of("beyond_chance"), "conclusion": text_of("conclusion"),
    }  # fmt: skip
    return Chapter(
        "diagnostic",
        "Are the human labels biased toward averaging?",
        f"{SOURCE}, section 3.2, appendix A and Figure 3",
        "If a judge's error rate on sentences is below the threshold, unbiased raters must go with the minimum. "
        "Where the mean goes with them at least as well, they average. Error rates need annotated sentences: in a "
        "run directory without, the sheet review/sample.csv asks for them; name it under 'annotations' when it is "
        "filled in.",
        {"diagnostic": table},
        (listing("The diagnostic, judge by judge", table, columns | measures),),
        (
            (
                "The theorem is about all summaries. A sample can differ by chance, above all with a judge just "
                "below the threshold: see 'beyond chance'."
            ),
            "It assumes that sentences of a summary are independent and that a judge errs on both kinds alike.",
        ),
        (partial(error_threshold_figure, "error-thresholds", table),),
    )


def _gaps(table: pl.DataFrame) -> Chapter:
    columns = {"dataset": text_of("dataset"), "judge kind": text_of("judge_kind")}
    names = {"p": 3, "eps": 3, "fraction": 1, "pearson_min": 3, "pearson_mean": 3, "gap": 3, "simulated_gap": 3}
    measures = {name.replace("_", " "): number(name, digits) for name, digits in names.items()}
    return Chapter(
        "gap_simulation",
        "How much averaging a small gap can hide",
        f"{SOURCE}, section 6",
        "Simulated raters, of whom a fraction calls a summary faithful when at least half of its sentences are, "
        "and the others when all are.",
        {"gap_simulation": table},
        (listing("Gap between mean and minimum", table, columns | measures),),
        ("A gap near zero does not certify unbiased labels.",),
        (partial(gap_figure, "gap-curves", table),),
    )


def _suspicious(tables: Tables) -> Chapter:
    counted, sentences = tables["suspicious"], tables["suspicious_sentences"]
    names = ("dataset", "judges", "summaries", "unknown", "suspicious", "reviewable")
    columns = {name: text_of(name) for name in names}
    views = [
        listing("Human-faithful summaries", counted, columns | {"share": share("share")}),
        _sentences(sentences),
    ]
    made = {"suspicious": counted, "suspicious_sentences": sentences}
    if "confirmed" in tables:
        made["confirmed"] = tables["confirmed"]
        told = {
            name: text_of(name) for name in ("dataset", "sentences", "unfaithful", "faithful", "unclear", "blank")
        }
        views.append(
            listing("What reviewers say", made["confirmed"], told | {"confirmed": share("confirmed_share")})
        )
    return Chapter(
        "suspicious",
        "Suspicious labels",
        f"{SOURCE}, section 6 and Figure 4",
        "Summaries that people call faithful although every judge flags a sentence. In a run directory, the sheet "
        "review/review.csv asks annotators about those sentences; name it under 'reviews' when it is filled in.",
        made,
        tuple(views),
        ("All judges can be wrong together: only review tells which labels are.",),
    )


def _sentences(table: pl.DataFrame) -> View:
    flagged = table.filter("by_every_judge").head(_SHOWN_SENTENCES)
    names = ("dataset", "summary_id", "sentence_index", "sentence")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    return listing(f"Sentences that every judge flags (first {_SHOWN_SENTENCES})", flagged, columns)


def _composition(table: pl.DataFrame) -> Chapter:
    columns = {name: text_of(name) for name in ("dataset", "source", "judge", "summaries", "missing")}
    kinds = ("all_unfaithful", "mixed", "all_faithful")
    measures = {kind.replace("_", " "): share(f"{kind}_share") for kind in kinds}
    return Chapter(
        "composition",
        "What summaries are made of",
        f"{SOURCE}, appendix C.3 and Figure 5",
        "Only mixed summaries tell the minimum from the mean: their share is what the diagnostic rests on.",
        {"composition": table},
        (listing("Share of summaries", table, columns | measures),),
        ("A judge that flags many sentences sees more mixed summaries than there are.",),
        (partial(composition_figure, "composition", table),),
    )


def _caching(table: pl.DataFrame) -> Chapter:
    columns = named("dataset", "judge", "calls", "input_tokens", "cached_tokens")
    measures = {
        "cached": number("cached_share", 3), "USD": number("cost_usd", 4),
        "without": number("uncached_cost_usd", 4),
        "saved": number("saving_share", 3),
    }  # fmt: skip
    return Chapter(
        "caching",
        "What prompt caching saved",
        "beyond study 3",
        "The sentences of a document share their prompt up to the sentence, and are sent one after the other, so "
        "that providers read the document once.",
        {"caching": table},
        (listing("Cached input", table, columns | measures),),
        ("A provider that does not tell cached tokens has none listed.",),
    )
