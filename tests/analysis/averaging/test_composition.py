"""What summaries are made of, to people and to judges; and the claims of sentences."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from judgeray.analysis.averaging.aggregation import aggregation, mean_against_min
from judgeray.analysis.averaging.annotations import located
from judgeray.analysis.averaging.claim_statistics import claim_statistics
from judgeray.analysis.averaging.comparisons import compare
from judgeray.analysis.averaging.composition import composition
from judgeray.stats.bootstrap import clustered_ratios
from tests.analysis.averaging.made_sentences import claims_said, marks, said, sentence_log

KINDS = ("all_unfaithful", "mixed", "all_faithful")
SUMMARIES = {
    "a:1": ("00", 1),
    "a:2": ("10", 1),
    "b:1": ("110", 0),
    "c:1": ("11", 1),
    "d:1": ("1-", 1),
    "e:1": ("1", 1),
}


def rows(table: pl.DataFrame) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Rows by source and judge."""
    return {(row["source"], row["judge"]): row for row in table.to_dicts()}


def test_judges_are_counted_by_their_labels() -> None:
    """Five summaries of several sentences, one of which lacks a label; the single sentence is left out."""
    found = rows(composition(sentence_log(said(SUMMARIES))))["judge", "j"]
    assert (found["summaries"], found["missing"]) == (4, 1)
    assert [found[kind] for kind in KINDS] == [1, 2, 1]
    assert [found[f"{kind}_share"] for kind in KINDS] == [0.25, 0.5, 0.25]
    (mixed,) = clustered_ratios([1, 1, 0], [2, 1, 1], "")
    assert (found["mixed_share_low"], found["mixed_share_high"]) == (mixed.low, mixed.high)


def test_all_judges_pools_them() -> None:
    """Its share is the mean of the judges' where they have equally many summaries."""
    other = {name: (letters.replace("0", "1"), label) for name, (letters, label) in SUMMARIES.items()}
    found = rows(composition(sentence_log(said(SUMMARIES) + said(other, judge="k"))))
    assert list(found) == [("judge", "j"), ("judge", "k"), ("all judges", None)]
    pooled = found["all judges", None]
    assert (pooled["summaries"], pooled["missing"], pooled["all_faithful"]) == (8, 2, 5)
    assert pooled["mixed_share"] == (found["judge", "j"]["mixed_share"] + found["judge", "k"]["mixed_share"]) / 2


def test_people_are_counted_by_clear_sentences_of_whole_summaries() -> None:
    """Unclear sentences are dropped, a summary marked in part is missing, and so is one unclear throughout."""
    log = sentence_log(said({name: ("1" * len(letters), 1) for name, (letters, _) in SUMMARIES.items()}))
    given = [("a:1", 0, False), ("a:1", 1, False), ("a:2", 0, True), ("a:2", 1, None), ("b:1", 0, True),
             ("b:1", 1, False), ("b:1", 2, True), ("c:1", 0, True), ("d:1", 0, None), ("d:1", 1, None),
             ("e:1", 0, True)]  # fmt: skip
    frame = marks({"dataset": ["d"] * len(given), "summary_id": [g[0] for g in given],
                   "sentence_index": [g[1] for g in given], "faithful": [g[2] for g in given]})  # fmt: skip
    unclear = pl.Series([g[2] is None for g in given])
    frame = frame.with_columns(annotation=pl.when(unclear).then(pl.lit("Unclear")).otherwise("annotation"))
    found = rows(composition(log, located(frame, log)))["people", None]
    assert (found["summaries"], found["missing"]) == (3, 2)
    assert [found[kind] for kind in KINDS] == [1, 1, 1]


def test_shares_of_nothing_are_not_known() -> None:
    """A judge without a complete summary has null shares, and stays in the table."""
    found = rows(composition(sentence_log(said({"a:1": ("1-", 1)}))))["judge", "j"]
    assert (found["summaries"], found["missing"], found["mixed"], found["mixed_share"]) == (0, 1, 0, None)
    assert composition(sentence_log([])).is_empty()


CLAIMS = {
    "a:1/0": ("110", 1), "a:1/1": ("11", 1), "a:2/0": ("", 1), "b:1/0": ("1", 1), "b:1/1": ("0011", 0),
    "b:1/2": ("1-", 0), "c:1/0": ("01", 0),
}  # fmt: skip


def test_claims_are_parts_of_sentences() -> None:
    """The label is the sentence's; sentences of one claim are single, those without claims are no wholes."""
    found = aggregation(compare(sentence_log(claims_said(CLAIMS)), "claim", resamples=50), "claim").to_dicts()[1]
    assert (found["sentences"], found["documents"], found["missing"], found["single"]) == (4, 3, 1, 1)
    means, labels = [2 / 3, 1.0, 0.5, 0.5], [1, 1, 0, 0]
    centre = (sum(means) / 4, 0.5)
    joint = sum((m - centre[0]) * (y - centre[1]) for m, y in zip(means, labels, strict=True))
    spread = sum((m - centre[0]) ** 2 for m in means)
    assert found["pearson"] == pytest.approx(joint / spread**0.5)
    contrast = mean_against_min(compare(sentence_log(claims_said(CLAIMS)), "claim", resamples=50), "claim")
    assert contrast["sentences"].to_list() == [4, 0]


def test_units_do_not_mix() -> None:
    """A log of both units has the tables that each alone has."""
    both = sentence_log(said(SUMMARIES) + claims_said(CLAIMS))
    for unit, alone in (("sentence", said(SUMMARIES)), ("claim", claims_said(CLAIMS))):
        tables = [
            aggregation(compare(log, unit, resamples=50), unit)  # type: ignore[arg-type]
            for log in (both, sentence_log(alone))
        ]
        assert tables[0].equals(tables[1])
        assert composition(both, unit=unit).equals(composition(sentence_log(alone), unit=unit))  # type: ignore[arg-type]


def test_claim_statistics_count_sentences_once() -> None:
    """Two judges and two replicates of the same claims: six sentences with claims, one without."""
    rows = claims_said(CLAIMS) + claims_said(CLAIMS, judge="k") + claims_said(CLAIMS, replicate=1)
    found = claim_statistics(sentence_log(rows)).row(0, named=True)
    assert (found["sentences"], found["without_claims"], found["claims"]) == (6, 1, 14)
    sizes = [3, 2, 1, 4, 2, 2]
    mean = sum(sizes) / 6
    assert found["mean_claims"] == pytest.approx(mean)
    assert found["sd_claims"] == pytest.approx((sum((size - mean) ** 2 for size in sizes) / 5) ** 0.5)
    assert found["share_with_two"] == pytest.approx(5 / 6)


def test_one_sentence_has_no_spread_of_claims() -> None:
    """Null, not 0; a dataset none of whose claims could be had knows nothing."""
    found = claim_statistics(sentence_log(claims_said({"a:1/0": ("11", 1)}))).row(0, named=True)
    assert (found["mean_claims"], found["sd_claims"]) == (2.0, None)
    nothing = claim_statistics(sentence_log(claims_said({"a:1/0": ("", 1)}))).row(0, named=True)
    assert (nothing["sentences"], nothing["without_claims"], nothing["mean_claims"]) == (0, 1, None)
    assert nothing["share_with_two"] is None
