"""Behaviour: everything that decides what a simulated model answers, and how fast."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from judgeray.core.canonical import canonical_json
from judgeray.designs.pointwise import family_of
from judgeray.emulator.published import PUBLISHED
from judgeray.emulator.sentence_errors import SENTENCE_ERRORS
from judgeray.emulator.settings import Seconds, Settings, Share, load_settings

RowClass = Literal["supported", "unsupported", "partially_supported", "partially_supported_list"]

DEFAULT_MODEL, DEFAULT_DESIGN = "default", "H"
# S asks for the keys of C, and reads rows much as C does (study 1, Table 8).
_KIN = {"S": "C"}
_NEEDED: tuple[RowClass, ...] = get_args(RowClass)[:3]
# These change when a reply comes, or whether one does, never what it says.
_NOT_WORDS = {"latency_seconds", "latency_sigma", "known_models"}


class Formats(Settings):
    """Shares of the four shapes in which a verdict is written; they sum to 1.

    `whole` is a JSON object alone, `fenced` one in a code fence, `embedded` one after prose, and `broken` one
    that is cut off after the verdict. Study 1 saw about .74, .26 (fenced and embedded) and .0006 (Table 20).
    """

    whole: Share = 0.8
    fenced: Share = 0.13
    embedded: Share = 0.065
    broken: Share = 0.005

    @model_validator(mode="after")
    def _sum_to_one(self) -> Formats:
        total = self.whole + self.fenced + self.embedded + self.broken
        if abs(total - 1) > 1e-9:
            raise ValueError(f"whole, fenced, embedded and broken sum to {total:g}, not to 1")
        return self


class Behaviour(Settings):
    """How the simulated models behave.

    `accuracy` maps model (or `default`) to design to class of row to the probability of the right verdict.
    A missing class or design is looked up under `default`, then under the design's family (C for C.v2), for S
    under C, then under design H; a missing `partially_supported_list` is `partially_supported`. `noise` is the
    share of rows on which designs of one model err independently; on all others one draw per row serves every
    design, so that a weaker design is wrong where a stronger one is and the wins between them are one-sided
    (study 1, Tables 3 and 17).
    Of two candidates of different class a pairwise judge prefers the better one with `pair_accuracy`, and says tie
    where there is no such difference; but on a share `first_position` of prompts Answer A wins, whatever it is
    (study 1, section 5: reversing the order changes at most 4% of verdicts).
    A judge of single sentences errs on a share `sentence_error` of them, by model (or `default`).
    Latency in seconds is lognormal with median `latency_seconds`. `known_models` None serves any model name.
    """

    seed: int = 0
    accuracy: dict[str, dict[str, dict[RowClass, Share]]] = Field(
        default_factory=lambda: PUBLISHED, validate_default=True
    )
    noise: Share = 0.15
    pair_accuracy: Share = 0.97
    first_position: Share = 0.02
    sentence_error: dict[str, Share] = Field(default_factory=lambda: SENTENCE_ERRORS, validate_default=True)
    formats: Formats = Formats()
    latency_seconds: Seconds = 0.0
    latency_sigma: Seconds = 0.0
    known_models: Annotated[tuple[str, ...] | None, Field(strict=False)] = None

    @model_validator(mode="after")
    def _default_is_complete(self) -> Behaviour:
        given = self.accuracy.get(DEFAULT_MODEL, {}).get(DEFAULT_DESIGN, {})
        missing = [name for name in _NEEDED if name not in given]
        if missing:
            raise ValueError(f"accuracy.{DEFAULT_MODEL}.{DEFAULT_DESIGN} lacks {', '.join(missing)}")
        if DEFAULT_MODEL not in self.sentence_error:
            raise ValueError(f"sentence_error lacks {DEFAULT_MODEL}")
        return self

    def probability(self, model: str, design: str | None, row_class: RowClass) -> float:
        """Share that `model` under `design` (None: not a known design) gives the right verdict."""
        for name in _lookups(design or DEFAULT_DESIGN):
            for served in (model, DEFAULT_MODEL):
                given = self.accuracy.get(served, {}).get(name, {})
                if row_class in given:
                    return given[row_class]
                if row_class == "partially_supported_list" and "partially_supported" in given:
                    return given["partially_supported"]
        raise AssertionError(f"validation lets no class be missing, yet {row_class} is")

    def sentence_error_of(self, model: str) -> float:
        """Share of sentences on which `model` says the opposite of what their words tell."""
        return self.sentence_error.get(model, self.sentence_error[DEFAULT_MODEL])

    def model_names(self) -> list[str]:
        """Names of the models that exist here, as far as they are named; one list serves all three APIs."""
        return sorted(self.known_models or set(self.accuracy) - {DEFAULT_MODEL})

    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 of what decides the words of replies.

        Latency and known models are left out: they change no reply.
        """
        words = self.model_dump(mode="json", exclude=_NOT_WORDS)
        return sha256(canonical_json(words).encode("ascii")).hexdigest()[:16]


def _lookups(design: str) -> tuple[str, ...]:
    """Names under which a design's accuracy is looked up, in order."""
    family = family_of(design)
    return design, family, _KIN.get(family, family), DEFAULT_DESIGN


def load_behaviour(path: Path) -> Behaviour:
    """Read a behaviour from a JSON file.

    Raises BadInputError naming the file, the field, the value found and what is allowed.
    """
    return load_settings(Behaviour, path, "behaviour")
