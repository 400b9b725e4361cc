"""The ladder: from one question to answers A0 to A4, as a procedure of up to six steps with a call each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.core.procedure import Procedure
from judgeray.questions import Question
from judgeray.writers.perturbation.grouping import kept, level_groups
from judgeray.writers.perturbation.levels import Level
from judgeray.writers.perturbation.marks import Draft, marked, numbered
from judgeray.writers.perturbation.odd import LostError
from judgeray.writers.perturbation.paraphrase import PARAPHRASE, read_paraphrase
from judgeray.writers.perturbation.parser import DEFAULT_PARSER, check_parser, spans_of, stop_words
from judgeray.writers.perturbation.perturb import PERTURB, read_edit
from judgeray.writers.perturbation.question_words import protected_spans
from judgeray.writers.perturbation.rank import RANK, read_ranking
from judgeray.writers.perturbation.replies import drawn
from judgeray.writers.perturbation.spans import Span
from judgeray.writers.writer import Writer

PROMPTS: dict[str, Writer] = {prompt.name: prompt for prompt in (PARAPHRASE, RANK, PERTURB)}
"""The prompts of a ladder by name, in the order of the steps; `perturb` is asked once a level."""


@dataclass(frozen=True)
class LadderWriters:
    """Who writes: one model for each prompt; they may be the same."""

    paraphrase: Judge
    rank: Judge
    perturb: Judge


@dataclass(frozen=True)
class LadderSettings:
    """How ladders are built.

    `keep_share` is the paper's k, the share of the ranking that is made wrong; `levels` counts the answers beyond
    A0; `parser` names an installed spaCy model; `seed` is the manifest's. Raises BadInputError for a share outside
    (0, 1] and for no level.
    """

    keep_share: float = 0.8
    levels: int = 4
    parser: str = DEFAULT_PARSER
    seed: int = 42

    def __post_init__(self) -> None:
        if not 0 < self.keep_share <= 1:
            raise BadInputError(f"keep_share: found {self.keep_share}, allowed: above 0 and at most 1")
        if self.levels < 1:
            raise BadInputError(f"levels: found {self.levels}, allowed: 1 or more")


@dataclass(frozen=True, slots=True)
class Ladder:
    """What became of one question.

    `answers` are A0, A1, ... as far as they were reached. `spans` are those of A0; `protected` (sorted), `ranking`
    (most important first) and `groups` (one a level, A1 first) hold indices into them. `lost` is None for a whole
    ladder, else `step: reason`, with the steps paraphrase, spans, filter, rank, keep, and perturb A1, A2, ...
    """

    question_id: str
    answers: tuple[Level, ...] = ()
    spans: tuple[Span, ...] = ()
    protected: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    lost: str | None = None


def ladder(question: Question, writers: LadderWriters, settings: LadderSettings) -> Procedure[Ladder]:
    """Build the ladder of a question (study 2, section 3 and appendix A).

    One call paraphrases the reference, one ranks the terms of A0, and one a level makes a group of them wrong, each
    on top of the level before; odd replies are drawn afresh (`replies.drawn`). Raises BadInputError before the
    first call where the parser is missing.
    """
    check_parser(settings.parser)
    climb = _Climb(question, writers, settings)
    try:
        yield from climb.paraphrase()
        yield from climb.plan()
        for level in range(1, settings.levels + 1):
            yield from climb.perturb(level)
    except LostError as lost:
        return replace(climb.reached, lost=str(lost))
    return climb.reached


class _Climb:
    """What is reached so far; each step adds its part or raises LostError."""

    def __init__(self, question: Question, writers: LadderWriters, settings: LadderSettings) -> None:
        self._question, self._writers, self._settings = question, writers, settings
        self._draft = Draft("", ())
        self.reached = Ladder(question.question_id)

    def paraphrase(self) -> Procedure[None]:
        reference = self._question.reference
        call = partial(PARAPHRASE.call, reference, self._writers.paraphrase)
        level = yield from drawn("paraphrase", call, partial(read_paraphrase, reference=reference))
        self.reached = replace(self.reached, answers=(level,))

    def plan(self) -> Procedure[None]:
        """Find the spans, have them ranked, and deal them to levels; stop as soon as there are too few."""
        settings = self._settings
        self._find()
        terms = len(self.reached.spans)
        call = partial(RANK.call, numbered(self._draft), self._writers.rank)
        ranking = yield from drawn("rank", call, partial(read_ranking, terms=terms))
        self.reached = replace(self.reached, ranking=ranking)
        order = kept(ranking, self.reached.protected, settings.keep_share)
        self._check("keep", len(order))
        groups = level_groups(order, settings.levels, settings.seed, self._question.question_id)
        self.reached = replace(self.reached, groups=groups)

    def perturb(self, level: int) -> Procedure[None]:
        group = self.reached.groups[level - 1]
        call = partial(PERTURB.call, marked(self._draft, group), self._writers.perturb)
        read = partial(read_edit, before=self._draft, group=group)
        self._draft, answer = yield from drawn(f"perturb A{level}", call, read)
        self.reached = replace(self.reached, answers=(*self.reached.answers, answer))

    def _find(self) -> None:
        text, parser = self.reached.answers[0].text, self._settings.parser
        spans = spans_of(text, parser)
        self._draft = Draft(text, spans)
        self.reached = replace(self.reached, spans=spans)
        self._check("spans", len(spans))
        protected = protected_spans(spans, self._question.question, stop_words(parser))
        self.reached = replace(self.reached, protected=protected)
        self._check("filter", len(spans) - len(protected))

    def _check(self, step: str, spans: int) -> None:
        if spans < self._settings.levels:
            raise LostError(step, f"fewer than {self._settings.levels} spans left")
