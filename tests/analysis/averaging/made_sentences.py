"""Sentence verdicts for tests: written out, or drawn from the model of study 3."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from judgeray.analysis.schema import counts, flags, texts
from judgeray.sentence_verdicts import SENTENCE_SCHEMA

Rows = list[dict[str, Any]]
Rater = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.bool_]]
"""From faithful sentences and all sentences of summaries to what they are called."""

_SCHEMA = pl.Schema({
    name: pl.DataFrame(SENTENCE_SCHEMA.empty_table()).schema[name] for name in SENTENCE_SCHEMA.names
})  # fmt: skip

_LETTERS = {"1": 1, "0": 0}
_SILENT = {"-": "unparsed", "?": "pending"}


def sentence_log(rows: Rows) -> pl.DataFrame:
    """Fill rows up to a log with the columns of `SENTENCE_SCHEMA`."""
    base = {"dataset": "d", "unit": "sentence", "judge": "j", "replicate": 0, "status": "ok", "fragment": False}
    return pl.DataFrame([base | row for row in rows], schema=_SCHEMA)


def said(
    summaries: Mapping[str, tuple[str, int]], soft: Mapping[str, Sequence[float | None]] | None = None, **more: Any
) -> Rows:
    """Spell summaries out: an id gives the letters of its sentences and its label.

    Letters: 1 and 0 are labels, - is unparsed, ? pending, and a blank no row. The document is what stands before
    the id's colon.
    """
    rows: Rows = []
    for summary, (letters, label) in summaries.items():
        for index, letter in enumerate(letters):
            if letter == " ":
                continue
            rows.append({
                "document_id": summary.partition(":")[0], "summary_id": summary, "label": label,
                "sentence_index": index, "sentences": len(letters), "sentence": f"{summary} says {index}.",
                "faithful": _LETTERS.get(letter), "status": _SILENT.get(letter, "ok"),
                "soft": soft[summary][index] if soft else None,
            } | more)  # fmt: skip
    return rows


def claims_said(sentences: Mapping[str, tuple[str, int]], **more: Any) -> Rows:
    """Spell sentences out by their claims: `SUMMARY/INDEX` gives letters and the label of the sentence.

    No letters at all: the claims could not be had.
    """
    rows: Rows = []
    for name, (letters, label) in sentences.items():
        summary, _, index = name.partition("/")
        of_sentence = {"document_id": summary.partition(":")[0], "summary_id": summary, "label": label,
                       "sentence_index": int(index), "sentences": 3, "unit": "claim"}  # fmt: skip
        for claim, letter in enumerate(letters):
            rows.append(of_sentence | {
                "claim_index": claim, "sentence": f"{name} claims {claim}.", "faithful": _LETTERS.get(letter),
                "status": _SILENT.get(letter, "ok"),
            } | more)  # fmt: skip
        if not letters:
            rows.append(of_sentence | {"sentence": f"{name}.", "status": "unparsed"} | more)
    return rows


def minimum_rater(k: NDArray[np.intp], m: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Faithful where every sentence is."""
    called: NDArray[np.bool_] = k == m
    return called


def mean_rater(k: NDArray[np.intp], m: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Faithful where at least half of the sentences are."""
    called: NDArray[np.bool_] = 2 * k >= m
    return called


def mixture(fraction: float) -> Rater:
    """Every summary by one of both rules: a fraction by the mean."""

    def rater(k: NDArray[np.intp], m: NDArray[np.intp]) -> NDArray[np.bool_]:
        turn = np.random.default_rng(5).random(k.size) < fraction
        called: NDArray[np.bool_] = np.where(turn, mean_rater(k, m), minimum_rater(k, m))
        return called

    return rater


def drawn_log(
    rater: Rater, judges: Mapping[str, float], p: float = 0.8, lengths: Sequence[int] = (3, 4, 5),
    summaries: int = 600, seed: int = 7, dataset: str = "d",
) -> tuple[pl.DataFrame, pl.DataFrame]:  # fmt: skip
    """Draw a log of judges with known error rates on summaries with a scripted rater, and annotations of all."""
    rng = np.random.default_rng(seed)
    m = rng.choice(lengths, summaries)
    ends = np.cumsum(m)
    truth = rng.random(ends[-1]) < p
    k = np.add.reduceat(truth, ends - m, dtype=np.intp)
    label = np.repeat(rater(k, m), m).astype(int)
    summary = np.repeat(np.arange(summaries), m)
    index = np.arange(ends[-1]) - np.repeat(ends - m, m)
    ids = {
        "dataset": dataset, "document_id": [f"doc{number // 2:04d}" for number in summary],
        "summary_id": [f"s{number:04d}" for number in summary], "sentence_index": index,
    }  # fmt: skip
    rows = [
        pl.DataFrame(ids | {"label": label, "sentences": np.repeat(m, m), "judge": judge,
                            "faithful": (truth ^ (rng.random(truth.size) < error)).astype(int)})
        for judge, error in judges.items()
    ]  # fmt: skip
    full = pl.concat(rows).with_columns(
        unit=pl.lit("sentence"), replicate=pl.lit(0), status=pl.lit("ok"), fragment=pl.lit(value=False),
        sentence=pl.lit("A sentence."), soft=pl.col("faithful") * 0.8 + 0.1,
    )  # fmt: skip
    missing = [pl.lit(None).alias(name) for name in _SCHEMA if name not in full.columns]
    log = full.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in _SCHEMA.items())
    return log, marks({**ids, "faithful": truth})


def marks(columns: Mapping[str, Any]) -> pl.DataFrame:
    """Annotations as `read_annotations` gives them, of sentences."""
    kinds = texts("dataset", "summary_id") | counts("sentence_index") | flags("faithful")
    given = pl.DataFrame(columns).select(pl.col(name).cast(kind) for name, kind in kinds.items())
    annotation = pl.when(pl.col("faithful")).then(pl.lit("Faithful")).otherwise(pl.lit("Unfaithful"))
    return given.select(
        pl.lit("labels.csv: row 1").alias("place"), "dataset", "summary_id", "sentence_index",
        pl.lit(None, pl.Int64).alias("claim_index"), pl.lit("annotator").alias("annotator"),
        annotation.alias("annotation"),
    )  # fmt: skip
