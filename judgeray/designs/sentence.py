"""Design F: one sentence of a summary, one call, one faithfulness label (study 3, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.call import Call, Judge
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.core.status import Status
from judgeray.designs.soft_label import soft_label
from judgeray.parsing import Branch, read_label

KEY, LABELS = "faithful", ("0", "1")


@dataclass(frozen=True, slots=True)
class SentenceJudgment:
    """What the design makes of a reply: `hard` is 0 or 1, None unless `status` is ok.

    `soft` is the probability of 1 against 0 at the place where the reply states its label (from 0 to 1); None where
    that is not known. The two need not agree: a model may write what it finds less likely.
    """

    status: Status
    hard: int | None = None
    soft: float | None = None
    parse_branch: Branch | None = None


@dataclass(frozen=True)
class SentenceDesign:
    """A single-call design about a document and a text that must be supported by it: a sentence or a subclaim.

    The document stands before the text, and both behind everything else, so that all calls about a document begin
    alike. `before` precedes the document, `between` parts it from the text. `output_tokens` is what a reply is
    expected to write before any reply is known; it only feeds cost plans.
    """

    name: str
    title: str
    version: str
    source: str
    system: str
    before: str
    between: str
    output_tokens: int

    @property
    def template(self) -> str:
        """The user message with its two fields; what identifies the wording, beside `system`."""
        return f"{self.before}{{document}}{self.between}{{sentence}}"

    def call(self, document: str, sentence: str, judge: Judge, replicate: int = 0) -> Call:
        """Build the call for one text; raises BadInputError for an in-process judge, which reads no prompts."""
        if judge.in_process:
            raise BadInputError(
                f"judges.{judge.name}: design {self.name}: found '{judge.provider}', which reads no prompts, "
                "allowed: a judge that answers prompts."
            )
        shared = f"{self.before}{document}{self.between}"
        return judge.call(self.system, shared + sentence, replicate, shared_prefix_characters=len(shared))

    def read(self, reply: Reply) -> SentenceJudgment:
        """Read a reply: the hard label from its text, the soft one from its log-probabilities.

        A refusal is never read. A truncated reply that still states its label is read; one that does not is
        `truncated`.
        """
        if reply.outcome == "refused":
            return SentenceJudgment("refused")
        reading = read_label(reply.text or "", key=KEY, labels=LABELS)
        if reading.label is None:
            return SentenceJudgment("truncated" if reply.outcome == "truncated" else "unparsed")
        return SentenceJudgment("ok", int(reading.label), soft_label(reply, KEY, reading.label), reading.branch)


F = SentenceDesign(
    name="F",
    title="sentence faithfulness",
    version="v1",
    source=(
        'ours: study 3 (Averaging Bias), section 4, asks for {"faithful": 0/1} per sentence; the text at hand '
        "does not print the prompt of its Table 16"
    ),
    system=(
        "You check one sentence of a summary against the document that was summarized. The sentence is faithful if "
        "everything it states is stated in the document or follows from it. It is not faithful if any part of it "
        "contradicts the document or cannot be found there, however small the part. Judge by the document alone, "
        "not by what you know, and ignore style and importance.\n"
        'Return valid JSON and nothing else: {"faithful": 0/1}, with 1 for faithful and 0 for not faithful.'
    ),
    before="Document:\n",
    between="\n\nSentence:\n",
    output_tokens=8,
)
