"""The chapter on claims: the same question one level below the sentence."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from judgeray.analysis.averaging.tables import Tables
from judgeray.core.status import STATUSES
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.averaging.cells import SOURCE, give_or_take, named
from judgeray.studies.diagnostics.shapes import change, listing, number, share, text_of


def claims_chapter(tables: Tables) -> Chapter:
    """Tell how minimum and mean of claims go with the labels of sentences, and what claims there are."""
    return Chapter(
        "claims",
        "One level down: claims of a sentence",
        f"{SOURCE}, appendix D",
        "The same comparison for sentences with human labels: a writer takes them apart without the source, and "
        "each claim is judged against it.",
        {name: table for name, table in tables.items() if name.startswith("claim_")},
        tuple(_views(tables)),
        (
            "Claims are a model's reading of the sentence; one that it leaves out is never judged.",
            "The writer can put into a sentence what it does not say: only review tells which ones are wrong.",
        ),
    )


def _views(tables: Tables) -> Iterator[View]:
    measures = {
        "min": give_or_take("min"), "mean": give_or_take("mean"), "mean - min": change("difference"),
        "mean >= min": text_of("mean_at_least_min"), "told apart": text_of("told_apart"),
        "why not": text_of("reason"),
    }  # fmt: skip
    columns = named("dataset", "judge", "score", "sentences") | measures
    yield listing("Correlation with the human label of the sentence", tables["claim_mean_against_min"], columns)
    yield listing(
        "Human-faithful sentences of which every judge flags a claim",
        tables["claim_suspicious"],
        named("dataset", "judges", "sentences", "unknown", "suspicious") | {"share": share("share")},
    )
    sizes = {
        "with two claims or more": number("share_with_two", 3), "mean": number("mean_claims", 2),
        "sd": number("sd_claims", 2),
    }  # fmt: skip
    counted = named("dataset", "sentences", "without_claims", "claims")
    yield listing("Claims", tables["claim_statistics"], counted | sizes)
    if "claim_lists" in tables:
        yield _lists(tables["claim_lists"])


def _lists(table: pl.DataFrame) -> View:
    occurring = [status for status in STATUSES if table[status].sum()]
    told = named("dataset", "writer", "sentences", *occurring, "without_fact", "calls", "output_tokens")
    return listing("What the writer did", table, told | {"USD": number("cost_usd", 4)})
