"""`judge_score`: one call that grades an answer against the reference with a whole number from 0 to 10."""

from __future__ import annotations

from judgeray.core.call import Call, Judge
from judgeray.core.procedure import Procedure, ask
from judgeray.core.reply import Reply
from judgeray.metrics.metric import Metric, Part, Score, Scored, require_prompts
from judgeray.metrics.settings import Settings
from judgeray.parsing import read_label

NAME = "judge_score"
VERSION = "v1"
GRADES = tuple(str(grade) for grade in range(11))
"""Eleven steps, so that the five levels of study 2 need not share one."""

SYSTEM = """\
You grade how factually correct an answer is. You are given a question, a reference answer that is correct, and \
the answer to grade. Count for it what agrees with the reference, and against it every fact that the reference \
contradicts or that was changed, such as another name, number, date or place. Ignore wording, order, style and \
length."""
USER = """\
Question: {question}
Reference answer: {reference}
Answer to grade: {answer}

Grade the answer on this scale; use the numbers between as well:
- 10: all of its facts agree with the reference
- 7: most of its facts agree, some details are wrong
- 5: about half of its facts are wrong
- 3: most of its facts are wrong
- 0: none of its facts agrees with the reference
Return valid JSON with keys:
- score: integer 0-10
- rationale: short string"""


def call(item: Scored, judge: Judge, replicate: int = 0) -> Call:
    """Build the call for one answer."""
    user = USER.format(question=item.question, reference=item.reference, answer=item.answer)
    return judge.call(SYSTEM, user, replicate)


def read(reply: Reply) -> Score:
    """Read the grade by the rules of verdicts; one that is no whole number from 0 to 10 is unparsed.

    A refusal is never read. A truncated reply that still states its grade is read; one that does not is
    `truncated`.
    """
    reading = read_label("" if reply.outcome == "refused" else reply.text or "", key="score", labels=GRADES)
    if reading.label is not None:
        return Score("ok", float(reading.label), {"parse_branch": reading.branch}, (Part("score", "ok"),))
    status = reply.outcome if reply.outcome in ("refused", "truncated") else "unparsed"
    return Score(status, None, {}, (Part("score", status),))


def score(item: Scored, judge: Judge, settings: Settings) -> Procedure[Score]:
    """Score by one call. Raises BadInputError for a judge that reads no prompts."""
    require_prompts(NAME, judge)
    return _asked(call(item, judge, settings.replicate))


def _asked(wanted: Call) -> Procedure[Score]:
    return read((yield from ask(wanted)))


def prompts(_settings: Settings) -> tuple[str, ...]:
    """Give system text and user template; no setting changes them."""
    return SYSTEM, USER


JUDGE_SCORE = Metric(
    name=NAME,
    title="judge score (one call, 0 to 10)",
    version=VERSION,
    source="study 2 (arXiv 2609.15561, section 5: LLM-as-judge with a reference); prompt and scale ours",
    low=0.0,
    high=10.0,
    calls=1,
    output_tokens=80,
    reads=frozenset({"replicate"}),
    prompts=prompts,
    score=score,
)
