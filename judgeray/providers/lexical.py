"""The in-process baseline judge `coverage-v1`: word overlap, no network, no cost, the same bytes every time.

Words are the distinct Unicode words (`\\w+`) of a text after casefolding. A text's content words are its words
without those in `STOP_WORDS`, or all its words where that leaves none; a text without any word counts by its
blank-separated symbols instead.

Precision is the share of the candidate's content words, those of the question left out, that are words of the
reference. Recall is the share of what the reference says that the candidate says too:

- A reference is a list where it has at least three parts separated by a comma and blanks, none of more than
  ten words. An item is covered when all its content words are words of the candidate.
- Any other reference is prose. Each of its content words, those of the question left out, is covered when it
  is a word of the candidate.

Where leaving out the question's words would leave nothing, they stay. A share of nothing is 0.

| label               | by precision  | by recall     |
|---------------------|---------------|---------------|
| supported           | at least 0.9  | at least 0.9  |
| partially_supported | at least 0.5  | at least 0.1  |
| unsupported         | less          | less          |

Design C goes by precision, R by recall; H, B and any other take the lower of the two labels, or of two equal
ones the less certain. Score and confidence belong to the share that decided: the score is 1 + 4 x share,
rounded half up; the confidence is 0.5 on a threshold and 1 at the point of the label's range that is farthest
from one, and is not calibrated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError, bad_value
from judgeray.core.reply import Reply, Usage
from judgeray.rows import LABELS

_WORD = re.compile(r"\w+")
_COMMA = re.compile(r",\s+")
_TEXTS = ("question", "reference", "candidate")

MODELS = ("coverage-v1",)
STOP_WORDS = frozenset(
    _WORD.findall(
        "a an and are as at be been by did do does for from has have in is it its of on or that the their there "
        "they this to was were which who with"
    )
)
FULL = 0.9
SOME_PRECISION = 0.5
SOME_RECALL = 0.1
LIST_PARTS = 3
LIST_PART_WORDS = 10


@dataclass(frozen=True, slots=True)
class Share:
    """A share between 0 and 1, and the threshold from which on it counts as partial support."""

    value: float
    some: float

    @property
    def rank(self) -> int:
        """Place of the label in `LABELS`: 0 is supported, 2 is unsupported."""
        return (self.value < FULL) + (self.value < self.some)

    @property
    def confidence(self) -> float:
        """Distance to the nearest threshold, from 0.5 on it to 1 where the label's range is farthest from it."""
        half = (FULL - self.some) / 2
        margins = (
            (self.value - FULL) / (1 - FULL),
            1 - abs(self.value - self.some - half) / half,
            1 - self.value / self.some,
        )
        return round(0.5 + margins[self.rank] / 2, 2)


def answer(call: Call) -> Reply:
    """Judge the texts in `call.user` (JSON: question, reference, candidate) as the design in `call.system` would.

    The reply's text is a JSON object like that of any judge: verdict, score, confidence, rationale. Nothing is
    measured or billed, so usage and latency are None. Raises BadInputError for an unknown model or other JSON.
    """
    if call.model not in MODELS:
        raise bad_value("in-process judge", "model", call.model, MODELS)
    question, reference, candidate = _texts(call.user)
    precision = Share(_precision(question, reference, candidate), SOME_PRECISION)
    recall = Share(_recall(question, reference, candidate), SOME_RECALL)
    return Reply(
        key=call.key,
        provider=call.provider,
        model=call.model,
        outcome="complete",
        text=_judgment(call.system, precision, recall),
        usage=Usage(),
        finish_reason="stop",
        served_model=call.model,
    )


def _texts(user: str) -> list[str]:
    try:
        record = json.loads(user)
    except ValueError:
        record = None
    given = [record.get(name) for name in _TEXTS] if isinstance(record, dict) else []
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) < len(_TEXTS):
        expected = f"a JSON object with the texts {', '.join(_TEXTS)}"
        raise BadInputError(f"in-process judge: user: found '{user[:80]}', expected {expected}.")
    return texts


def _judgment(design: str | None, precision: Share, recall: Share) -> str:
    sides = {"C": [precision], "R": [recall]}.get(design or "", [precision, recall])
    decisive = max(sides, key=lambda side: (side.rank, -side.confidence))
    record = {
        "verdict": LABELS[decisive.rank],
        "score": 1 + int(4 * decisive.value + 0.5),
        "confidence": decisive.confidence,
        "rationale": f"precision {precision.value:.2f}, recall {recall.value:.2f}",
    }
    return json.dumps(record)


def _precision(question: str, reference: str, candidate: str) -> float:
    return _covered(_added(candidate, question), _units(reference))


def _recall(question: str, reference: str, candidate: str) -> float:
    said = _units(candidate)
    parts = [part for part in _COMMA.split(reference) if _WORD.search(part)]
    if len(parts) < LIST_PARTS or any(len(_WORD.findall(part)) > LIST_PART_WORDS for part in parts):
        return _covered(_added(reference, question), said)
    return sum(_content(part) <= said for part in parts) / len(parts)


def _covered(wanted: Collection[str], present: Collection[str]) -> float:
    return sum(word in present for word in wanted) / len(wanted) if wanted else 0.0


def _added(text: str, question: str) -> set[str]:
    """The content words that a text adds to the question."""
    content = _content(text)
    return content - _units(question) or content


def _content(text: str) -> set[str]:
    words = _units(text)
    return words - STOP_WORDS or words


def _units(text: str) -> set[str]:
    folded = text.casefold()
    return set(_WORD.findall(folded) or folded.split())
