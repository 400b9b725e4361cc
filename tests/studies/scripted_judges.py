"""Judges that are Python functions, the replies that they give, and rows that name their own labels."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from judgeray.core.call import Call
from judgeray.core.reply import Answer, Failure, Outcome, Reply, Usage
from judgeray.designs.pairwise import PAIR_HEADER
from judgeray.designs.pointwise import HEADER
from judgeray.rows import LABELS

Judge = Callable[[Call], str | Answer | None]
"""Answers a call with the reply's text, a whole reply or a failure; None while it has not answered."""

Judges = Judge | Mapping[str, Judge]
"""One judge for all calls, or one for each model."""


@dataclass(frozen=True)
class Shown:
    """The texts that a judge sees; `second` is Answer B where two are compared, else None."""

    question: str
    reference: str
    candidate: str
    second: str | None = None


def reply_to(call: Call, text: str | None, outcome: Outcome = "complete", **more: Any) -> Reply:
    """A reply whose tokens are words."""
    read, wrote = len(call.user.split()), len((text or "").split())
    finish = {"truncated": "length", "refused": "content_filter"}.get(outcome, "stop")
    known = {"finish_reason": finish, "served_model": f"{call.model}-2026"} | more
    usage, day = Usage(read, wrote, None, 0, read + wrote), "2026-01-01T00:00:00+00:00"
    return Reply(call.key, call.provider, call.model, outcome, text, usage, received_at=day, **known)


def failure_of(call: Call, error: str = "out of luck") -> Failure:
    """A call that ended without a reply."""
    return Failure(call.key, call.provider, error, 3)


def verdict(label: str, score: int = 3) -> str:
    """Say a label as designs ask for it."""
    return json.dumps({"verdict": label, "score": score, "confidence": 0.5})


def winner(place: str) -> str:
    """Say a winner as pairwise designs ask for it."""
    return json.dumps({"winner": place, "score_a": 4, "score_b": 2, "confidence": 0.5})


def asks_for_an_answer(call: Call) -> bool:
    """Whether a call asks for an answer, not for a judgment."""
    return call.user.endswith("\nAnswer:")


def _pattern(header: str) -> re.Pattern[str]:
    """Turn a header into what finds its texts again."""
    parts = re.split(r"\{\w+\}", header.rstrip("\n"))
    return re.compile("(.*?)".join(map(re.escape, parts)) + r"\n\n", re.DOTALL)


_SINGLE, _PAIR = _pattern(HEADER), _pattern(PAIR_HEADER)


def shown(call: Call) -> Shown:
    """Read the texts back out of a prompt; a candidate ends at the first empty line."""
    found = _PAIR.match(call.user) or _SINGLE.match(call.user)
    assert found is not None, call.user
    return Shown(*found.groups())


def chance(call: Call) -> float:
    """A number from 0 to 1 that the call decides: equal calls, equal numbers."""
    return int.from_bytes(sha256(call.key.encode()).digest()[:8], "big") / 2**64


def plain(text: str) -> str:
    """Forget case and runs of blanks."""
    return " ".join(text.casefold().split())


def label_said(text: str) -> str:
    """The label that a candidate of `data_rows` names."""
    return next(label for label in LABELS if f"say {label} " in plain(text))


def honest(call: Call) -> str:
    """Judge rightly, alone or in pairs; answer questions in three sentences, which count as supported."""
    if asks_for_an_answer(call):
        question = call.user.splitlines()[0]
        return f"{call.model} has to say supported to it. {question} It ends."
    texts = shown(call)
    if texts.second is not None:
        return winner("A" if label_said(texts.candidate) == "supported" else "B")
    if "say " in plain(texts.candidate):
        return verdict(label_said(texts.candidate))
    return verdict("partially_supported")


def write_rows(folder: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the data file of a manifest."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "rows.jsonl").write_text(text, encoding="utf-8")


def data_rows(questions: int, labels: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Rows of questions with one candidate a variant; a candidate names its label.

    References have two sentences, and the supported candidate is the reference itself.
    """
    named = labels or {"pos": "supported", "neg": "unsupported"}
    return [_data_row(number, variant, label) for number in range(questions) for variant, label in named.items()]


def _data_row(number: int, variant: str, label: str) -> dict[str, Any]:
    reference = f"Say supported to {number}. It has a second sentence."
    candidate = reference if label == "supported" else f"Say {label} to {number}."
    return {
        "question_id": f"q{number:03d}", "variant": variant, "label": label, "question": f"Question {number}?",
        "reference": reference, "candidate": candidate, "complexity": 2 + number % 4,
        "other_reference": f"Another says supported to {number}.",
    }  # fmt: skip
