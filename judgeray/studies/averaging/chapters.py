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
from judgeray.report.numbers import fixed
from judgeray.report.view import View
from judgeray.studies.diagnostics.shapes import Cell, Record, change, listing, number, share, text_of

SOURCE = "study 3 (Averaging Bias)"
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
        yield _claims(tables)
    yield _caching(tables["caching"])


def _correlations(tables: Tables) -> Chapter:
    against, whole = tables["mean_against_min"], tables["aggregation"]
    columns = {name: text_of(name) for name in ("dataset", "judge", "score", "summaries")}
    measures: dict[str, Cell] = {
        "min": _give_or_take("min"), "mean": _give_or_take("mean"), "mean - min": change("difference"),
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
        {"aggregation": whole, "mean_against_min": against},
        (
            listing("Correlation with the human label", against, columns | measures),
            listing("By other measures", whole, keys | further),
        ),
        (
            "A larger correlation is agreement with human behaviour, not with a strict definition of faithfulness.",
            "`told apart` is no where the mean orders summaries as the minimum does: then it says nothing.",
        ),
    )


def _give_or_take(aggregator: str) -> Cell:
    """Spell rho and half the width of its interval, as the study prints it."""
    value, half = f"pearson_{aggregator}", f"half_width_{aggregator}"

    def spelled(row: Record) -> str:
        width = "" if row[half] is None else f" ± {row[half]:.3f}"
        return fixed(row[value], 3) + width

    return spelled


def _diagnostic(tables: Tables) -> Chapter:
    table = tables["diagnostic"]
    columns = {name: text_of(name) for name in ("dataset", "judge", "annotated")}
    measures = {
        "p": share("p"), "error": share("eps"), "threshold": number("epsilon_0", 4),
        "unconditional": text_of("unconditional"), "valid": text_of("valid"), "mean - min": change("difference"),
        "conclusion": text_of("conclusion"),
    }  # fmt: skip
    return Chapter(
        "diagnostic",
        "Are the human labels biased toward averaging?",
        f"{SOURCE}, section 3.2, appendix A and Figure 3",
        "If a judge's error rate on sentences is below the threshold, unbiased raters must go with the minimum. "
        "Where the mean goes with them at least as well, they average.",
        {"diagnostic": table},
        (listing("The diagnostic, judge by judge", table, columns | measures),),
        (
            "The theorem is about all summaries; a sample can differ by chance (column beyond_chance).",
            "It assumes that sentences of a summary are independent and that a judge errs on both kinds alike.",
        ),
        (partial(error_threshold_figure, "error-thresholds", table),),
    )


def _gaps(table: pl.DataFrame) -> Chapter:
    columns = {name: text_of(name) for name in ("dataset", "judge_kind")}
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
        "Summaries that people call faithful although every judge flags a sentence. The sheet review/review.csv "
        "asks annotators about those sentences; name it under `reviews` when it is filled in.",
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


def _claims(tables: Tables) -> Chapter:
    found = {name: tables[name] for name in tables if name.startswith("claim_")}
    columns = {name: text_of(name) for name in ("dataset", "judge", "score", "sentences")}
    measures = {
        "min": _give_or_take("min"), "mean": _give_or_take("mean"), "mean - min": change("difference"),
        "why not": text_of("reason"),
    }  # fmt: skip
    counts = {name: text_of(name) for name in ("dataset", "sentences", "without_claims", "claims")}
    sizes = {
        "with two claims or more": number("share_with_two", 3), "mean": number("mean_claims", 2),
        "sd": number("sd_claims", 2),
    }  # fmt: skip
    return Chapter(
        "claims",
        "One level down: claims of a sentence",
        f"{SOURCE}, appendix D",
        "The same comparison for sentences with human labels: a writer takes them apart without the source, and "
        "each claim is judged against it.",
        found,
        (
            listing(
                "Correlation with the human label of the sentence",
                tables["claim_mean_against_min"],
                columns | measures,
            ),
            listing("Claims", tables["claim_statistics"], counts | sizes),
        ),
        ("Claims are a model's reading of the sentence; one that it leaves out is never judged.",),
    )


def _caching(table: pl.DataFrame) -> Chapter:
    columns = {name: text_of(name) for name in ("dataset", "judge", "calls", "input_tokens", "cached_tokens")}
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
