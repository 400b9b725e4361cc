"""Which output of an NLI checkpoint means what: read from its config, never assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from judgeray.core.errors import BadInputError

Label = Literal["entailment", "neutral", "contradiction"]

_LABELS: Mapping[str, Label] = {
    "entailment": "entailment",
    "entail": "entailment",
    "entails": "entailment",
    "entailed": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
    "contradict": "contradiction",
    "contradicts": "contradiction",
    "contradicted": "contradiction",
}
"""Names under which checkpoints give the three labels, in lower case."""


def label_order(checkpoint: str, id2label: Mapping[int | str, str]) -> tuple[Label, ...]:
    """Labels of a checkpoint's outputs, in the order of the outputs, from `id2label` of its config.

    Raises BadInputError, naming the checkpoint and what its config says, where that is not the three labels, each
    once: a checkpoint with `LABEL_0` alone does not tell what its outputs mean.
    """
    named = [id2label[index] for index in sorted(id2label, key=int)]
    labels = [_LABELS.get(name.strip().lower()) for name in named]
    known = tuple(label for label in labels if label is not None)
    if len(labels) == len(set(_LABELS.values())) == len(set(known)):
        return known
    raise BadInputError(
        f"nli: checkpoint '{checkpoint}': config.json: id2label: found {', '.join(named) or 'nothing'}, allowed: "
        "entailment, neutral and contradiction, each once, in any order."
    )
