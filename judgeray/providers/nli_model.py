"""An NLI checkpoint, loaded: pairs of texts in, probabilities of the three labels out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from judgeray.core.errors import BadInputError
from judgeray.providers.nli_labels import Label, label_order
from judgeray.providers.nli_windows import windows

EXTRA = "sentence_transformers"
DIGITS = 6
"""Digits of a probability; in double precision they do not depend on which pairs share a batch, nor on the node."""

LEAST_ROOM = 16
"""Tokens that must be left for the premise beside a hypothesis."""

Probabilities = Mapping[Label, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """What is asked: does the premise entail the hypothesis?"""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Probabilities for a pair, and for each window of its premise.

    Of several windows `best` is one whose most probable label is entailment, if there is one, and among these, or
    else among all, the one where entailment is most probable.
    """

    best: Probabilities
    windows: tuple[Probabilities, ...]


def require_extra(account: str) -> None:
    """Raise BadInputError where the optional packages are not installed on this node; loads nothing."""
    if find_spec(EXTRA) is None:
        raise BadInputError(
            f"provider {account}: kind nli needs the packages of the extra nli on every node: "
            "pip install 'judgeray[nli]'."
        )


class NliModel:
    """A cross-encoder in evaluation mode, on a GPU where the process sees one, in double precision."""

    def __init__(self, checkpoint: str) -> None:
        """Load `checkpoint`, a name on the Hugging Face hub or a folder; code in it is never run.

        Raises BadInputError where it cannot be loaded, or does not say what its outputs mean.
        """
        torch, library = import_module("torch"), import_module(EXTRA)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self._encoder: Any = library.CrossEncoder(checkpoint, device=device, trust_remote_code=False)
        except _load_errors() as error:
            words = " ".join(str(error).split())[:500] or type(error).__name__
            raise BadInputError(f"nli: checkpoint '{checkpoint}': cannot be loaded: {words}") from error
        config = self._encoder.model.config
        self._labels = label_order(checkpoint, config.id2label)
        self._encoder.model.double().eval()
        self._as_they_are = torch.nn.Identity()
        self._tokenizer = self._encoder.tokenizer
        self.most_tokens = _most_tokens(self._encoder)
        commit = getattr(config, "_commit_hash", None)
        self.served_name = f"{checkpoint}@{commit[:12]}" if commit else checkpoint

    def judge(self, pairs: Sequence[Pair], batch_size: int) -> list[Judged | str]:
        """Judge each pair, or say why it cannot be judged: the hypothesis leaves no room for a premise.

        A premise that does not fit is judged window by window (see `windows`), and no token is ever cut off: what
        one window entails the premise entails.
        """
        cut = [self._windows(pair) for pair in pairs]
        asked = [window for found in cut if not isinstance(found, str) for window in found]
        scored = iter(self._scored(asked, batch_size))
        return [found if isinstance(found, str) else _best([next(scored) for _ in found]) for found in cut]

    def _windows(self, pair: Pair) -> list[tuple[str, str]] | str:
        premise, hypothesis = _readable(pair.premise), _readable(pair.hypothesis)
        room = self.most_tokens - self._tokens("", hypothesis)
        if room < LEAST_ROOM:
            return f"the hypothesis leaves {max(room, 0)} of {self.most_tokens} tokens for the premise"
        found = windows(premise, lambda text: self._tokens(text, hypothesis) <= self.most_tokens)
        return [(window, hypothesis) for window in found]

    def _tokens(self, premise: str, hypothesis: str) -> int:
        return len(self._tokenizer(premise, hypothesis, truncation=False, verbose=False)["input_ids"])

    def _scored(self, asked: list[tuple[str, str]], batch_size: int) -> list[Probabilities]:
        if not asked:
            return []
        rows = self._encoder.predict(
            asked,
            batch_size=batch_size,
            show_progress_bar=False,
            activation_fn=self._as_they_are,
            apply_softmax=True,
        ).tolist()
        return [
            {label: round(value, DIGITS) for label, value in zip(self._labels, row, strict=True)} for row in rows
        ]


def _most_tokens(encoder: Any) -> int:  # noqa: ANN401 -- the library is loaded late, and so are its types
    """Tokens of a pair that a checkpoint takes, by its tokenizer, its config and the library's own bound."""
    bounds = [encoder.tokenizer.model_max_length, getattr(encoder, "max_seq_length", None)]
    if positions := getattr(encoder.model.config, "max_position_embeddings", None):
        tables = [table for name, table in encoder.model.named_modules() if name.endswith("position_embeddings")]
        # RoBERTa and its kin count positions from behind the padding token's.
        first = max((1 + table.padding_idx for table in tables if table.padding_idx is not None), default=0)
        bounds.append(positions - first)
    return int(min(bound for bound in bounds if bound))


def _best(found: list[Probabilities]) -> Judged:
    return Judged(max(found, key=_entailing), tuple(found))


def _entailing(found: Probabilities) -> tuple[bool, float]:
    entailment = found["entailment"]
    return entailment == max(found.values()), entailment


def _readable(text: str) -> str:
    """A text as tokenizers take it: lone surrogates, which are no characters, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _load_errors() -> tuple[type[Exception], ...]:
    """What loading a checkpoint raises that is missing, broken, of another kind, or needs further packages."""
    broken: type[Exception] = import_module("safetensors").SafetensorError
    return OSError, ValueError, KeyError, RuntimeError, ImportError, broken
