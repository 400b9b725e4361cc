"""Laws of sentence arms: every sentence under every judge is recorded, whatever came of its call."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call, Judge
from judgeray.core.reply import Answer
from judgeray.designs.sentence import F
from judgeray.run.survey import survey
from judgeray.studies import parts as parts_module
from judgeray.studies.arm import arm_name
from judgeray.studies.averaging.sentence_arm import SentenceArm
from tests.studies.averaging.scripted_summaries import (
    GPT,
    HAIKU,
    OVERLAP,
    SIX,
    Scripted,
    annotations_csv,
    honest,
    manifest_of,
    noting,
    said,
    scripted,
    shown_sentence,
    summary,
    write_summaries,
)
from tests.studies.scripted_judges import failure_of, reply_to

GOLDEN = Path(__file__).parent / "golden" / "sentence_call_keys.json"
SENTENCES = 2 + 2 + 3 + 4 + 2 + 3
THREE = f"{GPT}, {HAIKU}, {OVERLAP}"
CLAIMS = "annotations: '{folder}/marks.csv', claims: {writer: gpt}, replicates: 2"


def everything(folder: Path) -> Scripted:
    """Two judges, two replicates, sentences and claims."""
    write_summaries(folder, SIX)
    (folder / "marks.csv").write_text(annotations_csv(SIX))
    return scripted(folder, manifest_of(CLAIMS, THREE), honest)


def test_items_times_arms_are_recorded(tmp_path: Path) -> None:
    """Each arm has as many items as its size says; sentences have a row each, claims one each too."""
    made = everything(tmp_path)
    facts = survey(made.experiment.sources, made.experiment.arms, made.experiment.study)
    found = Counter({arm_name(part.arm): len(states) for part, states in made.made})
    assert found == {arm_name(arm): arm.size(facts["mine"].sizes) for arm in made.experiment.arms}
    assert set(found.values()) == {SENTENCES}
    judges, replicates, claims = 2, 2, 2
    assert len(made.records(SentenceArm)) == SENTENCES * judges * replicates
    assert made.log.height == SENTENCES * judges * replicates * (1 + claims)


def test_ids_and_files_are_unique(tmp_path: Path) -> None:
    """No two records of a run have the same key, no two tasks of a shard the same name, no two parts a file."""
    made = everything(tmp_path)
    cases = [case.key for part, _ in made.made for case in part.cases()]
    assert len(set(cases)) == len(cases) == SENTENCES * (1 + 2 * 2 * 2)
    for part, _ in made.made:
        names = [task.name for task in part.shard().tasks]
        assert len(set(names)) == SENTENCES
        assert names == [case.key.row_id for case in part.cases()]
    files = [part.shard().name for part, _ in made.made]
    assert len({name.casefold() for name in files}) == len(files)


def test_a_judge_in_process_is_left_out(tmp_path: Path) -> None:
    """Judges that read no prompts have no arms unless they are named, which is a mistake."""
    assert {arm.judge.name for arm in everything(tmp_path).experiment.arms} == {"gpt", "haiku"}


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_documents_are_asked_about_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """However a dataset is cut, all sentences of a document follow each other in one slice, and begin alike."""
    monkeypatch.setattr(parts_module, "SLICE_ROWS", size)
    write_summaries(tmp_path, SIX)
    calls: list[Call] = []
    scripted(tmp_path, manifest_of(), noting(calls))
    shared = [call.user[: call.shared_prefix_characters] for call in calls]
    assert [name for name, _ in groupby(shared)] == [
        f"{F.before}What is so about {document}.{F.between}" for document in "abcd"
    ]
    assert all(call.user[call.shared_prefix_characters :] == shown_sentence(call) for call in calls)


def test_call_keys_are_pinned(tmp_path: Path) -> None:
    """The calls of one summary under every arm are those of the golden file: a reply is found for ever."""
    made = everything(tmp_path)
    found = {
        f"{arm_name(part.arm)} {case.key.row_id}": [reply.key for reply in state.replies]
        for part, states in made.made
        for case, state in zip(part.cases(), states, strict=True)
        if ":c:1:" in case.key.row_id
    }
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_shared_beginning_is_in_no_key() -> None:
    """Whether a provider may keep its work on the document changes no key."""
    call = F.call("A document.", "A sentence.", Judge("j", "openai", "m"))
    assert replace(call, shared_prefix_characters=None).key == call.key


def test_replicates_are_calls_of_their_own(tmp_path: Path) -> None:
    """Each replicate asks anew; the list of claims is asked for once for all judges and replicates."""
    made = everything(tmp_path)
    assert set(made.asked.values()) == {1}
    rows = made.records(SentenceArm)
    keys = [row["call_keys"][0] for row in rows if row["judge"] == "gpt"]
    assert len(set(keys)) == len(keys) == 2 * SENTENCES
    assert Counter(row["replicate"] for row in rows) == {0: 2 * SENTENCES, 1: 2 * SENTENCES}


def odd(call: Call) -> str | Answer | None:
    """Something else comes of the calls about each summary."""
    sentence = shown_sentence(call)
    if "a:1" in sentence:
        return reply_to(call, said(1), "refused")
    if "b:1" in sentence:
        return reply_to(call, '{"faith', "truncated")
    if "c:1" in sentence:
        return "Who knows?"
    if "d:1" in sentence:
        return failure_of(call, "the provider's own words")
    if "a:2" in sentence:
        return None
    return reply_to(call, said(0) + " and so", "truncated")


def test_what_has_no_label_says_why(tmp_path: Path) -> None:
    """Refused, cut, unread, failed and pending calls are rows without a label; a cut reply can state one."""
    write_summaries(tmp_path, SIX)
    rows = scripted(tmp_path, manifest_of(), odd).records(SentenceArm)
    outcomes = {(row["summary_id"], row["status"], row["faithful"], row["error"]) for row in rows}
    assert outcomes == {
        ("a:1", "refused", None, None), ("b:1", "truncated", None, None), ("c:1", "unparsed", None, None),
        ("d:1", "undelivered", None, "the provider's own words"), ("a:2", "pending", None, None),
        ("b:2", "ok", 0, None),
    }  # fmt: skip
    assert len(rows) == SENTENCES
    assert all(row["call_keys"] for row in rows)


def test_usage_stands_with_its_sentence(tmp_path: Path) -> None:
    """Tokens, cost, model and labels are the call's and the summary's; what has no answer has none."""
    write_summaries(tmp_path, SIX[:2])
    made = scripted(tmp_path, manifest_of(), lambda call: honest(call) if "a:1" in call.user else None)
    answered, _, waiting, _ = made.records(SentenceArm)
    assert answered["served_model"] == "gpt-4.1-2026"
    assert answered["input_tokens"] > 0
    assert answered["cost_usd"] > 0
    assert answered["simulated"] is False
    nothing = ("input_tokens", "output_tokens", "cost_usd", "served_model", "mode", "simulated", "faithful", "soft")
    assert {waiting[name] for name in nothing} == {None}
    told = {"label": 1, "sentences": 2, "sentence_index": 0, "unit": "sentence", "claim_index": None}
    assert told.items() <= answered.items()
    assert answered["sentence"] == "Point 0 of a:1 is right."


def test_equal_sentences_of_a_document_are_bought_once(tmp_path: Path) -> None:
    """Two summaries that say the same have rows of their own and share the calls, and their cost."""
    twin = summary("a:1", "10", 1) | {"summary_id": "a:9", "label": 0}
    write_summaries(tmp_path, [summary("a:1", "10", 1), twin, *SIX[1:]])
    made = scripted(tmp_path, manifest_of(), honest)
    rows = [row for row in made.records(SentenceArm) if row["summary_id"] in ("a:1", "a:9")]
    assert len(rows) == 4
    assert len({row["call_keys"][0] for row in rows}) == 2
    calls = {row["call_keys"][0]: row["cost_usd"] for row in made.records(SentenceArm)}
    assert f"Cost: {sum(calls.values()):.4f} USD\n" in (made.run / "report.md").read_text("utf-8")


HOSTILE_TEXTS: dict[str, Any] = {
    "document_id": "=a\ud800/../<b>", "summary_id": "-1\n\u202e|x",
    "document": "\ud800 <script>\x00 {sentence} {{x}}",
    "summary": "Is {sentence} right? \ud800<b>No</b> one=1 knows.", "label": 1,
}  # fmt: skip


def test_any_text_is_asked_and_recorded(tmp_path: Path) -> None:
    """Braces, markup, NUL and lone surrogates reach the judge as they are; records hold surrogates as escapes."""
    write_summaries(tmp_path, [HOSTILE_TEXTS, summary("b:1", "10", 0)])
    calls: list[Call] = []
    made = scripted(tmp_path, manifest_of(), noting(calls, lambda call: said(1)))
    assert calls[0].user == f"{F.before}{HOSTILE_TEXTS['document']}{F.between}Is {{sentence}} right?"
    log = made.log
    assert log["document_id"][0] == "=a\\ud800/../<b>"
    assert log["sentence"][1] == "\\ud800<b>No</b> one=1 knows."
    assert log["summary_id"][0] == HOSTILE_TEXTS["summary_id"]
