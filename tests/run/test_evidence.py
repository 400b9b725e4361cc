"""Texts behind verdicts come back exactly as they were sent and received."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.designs.registry import DESIGNS
from judgeray.report.evidence import CaseKey
from judgeray.run.evidence import run_evidence
from judgeray.run.reopen import reopen
from tests.run.made_run import HOSTILE, label_of, made_run

KEY = CaseKey("mine", "row-1", "H", "gpt", "full", 0)


def right(design: str, row_id: str) -> str:
    """Reply with the row's own label, and a word that tells who replied."""
    return json.dumps({"verdict": label_of(int(row_id.removeprefix("row-"))), "rationale": f"{design} {row_id}"})


def test_prompt_and_reply_are_verbatim(tmp_path: Path) -> None:
    """The prompt is the design's for that row, the reply the ledger's, also where both hold hostile text."""
    run = made_run(tmp_path, lambda design, row_id: right(design, row_id) + HOSTILE, candidate=HOSTILE)
    source = run_evidence(run)
    assert source is not None
    found = source.find([KEY])[KEY]
    (exchange,) = found.exchanges
    assert found.candidate == f"{HOSTILE} 1"
    assert exchange.user.startswith(
        f"Question: Question 1?\nReference answer: Reference 1.\nCandidate answer: {HOSTILE}"
    )
    assert exchange.system == DESIGNS["H"].system
    assert exchange.reply == right("H", "row-1") + HOSTILE
    assert ("output tokens", "20") in exchange.facts


def test_only_what_is_asked_for_is_found(tmp_path: Path) -> None:
    """Unknown rows are absent, and other arms are not looked up."""
    source = run_evidence(made_run(tmp_path, right))
    assert source is not None
    assert set(source.find([KEY, CaseKey("mine", "row-99", "H", "gpt", "full", 0)])) == {KEY}


def test_a_reply_that_is_not_kept_is_none(tmp_path: Path) -> None:
    """A pending row has its prompt and no reply."""
    source = run_evidence(made_run(tmp_path, lambda design, row_id: None))
    assert source is not None
    assert source.find([KEY])[KEY].exchanges[0].reply is None


def test_a_run_whose_data_is_gone_says_so(tmp_path: Path) -> None:
    """Moved data files cost the texts, not the report."""
    run = made_run(tmp_path, right)
    (tmp_path / "rows.jsonl").unlink()
    source = run_evidence(run)
    assert source is not None
    assert source.find([KEY]) == {}
    assert source.lacking is not None
    assert "rows.jsonl" in source.lacking


def test_only_run_directories_are_reopened(tmp_path: Path) -> None:
    """A folder without a manifest has no evidence, and cannot be opened as a run."""
    assert run_evidence(tmp_path) is None
    with pytest.raises(BadInputError, match=r"no manifest\.yaml here"):
        reopen(tmp_path)
