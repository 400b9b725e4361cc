"""Controls: answers changed in ways that leave every fact alone, which no good metric should mind.

Study 2 (arXiv 2609.15561), section 6, asks for "fact-preserving perturbations as a control condition".
"""

from __future__ import annotations

from judgeray.conditions.appended import joined
from judgeray.conditions.sentences import SENTENCE_GAP
from judgeray.conditions.texts import DEFAULT_TEXTS
from judgeray.writers.perturbation.shuffle import shuffled
from judgeray.writers.perturbation.style import restyled


def controls(text: str, question_id: str, seed: int) -> dict[str, str]:
    """Give the controls of one answer by name: `padded`, `reordered` and `restyled`.

    One that would leave the text as it is is not there.
    """
    found = {
        "padded": padded(text),
        "reordered": reordered(text, question_id, seed),
        "restyled": restyled(text),
    }
    return {name: changed for name, changed in found.items() if changed is not None}


def padded(text: str) -> str:
    """Append phrases without content, the same as in condition `padding`."""
    return joined(text, DEFAULT_TEXTS["padding"])


def reordered(text: str, question_id: str, seed: int) -> str | None:
    """Shuffle the sentences by seed and question id, never into the order they have.

    Sentences are parted as in condition `markdown`, and joined by single blanks. None where there are fewer than
    two sentences or all are the same. A pronoun may then stand before the name it means.
    """
    sentences = SENTENCE_GAP.split(text.strip())
    order = shuffled(sentences, seed, "reordered", question_id)
    for turn in range(len(sentences)):
        turned = order[turn:] + order[:turn]
        if turned != sentences:
            return " ".join(turned)
    return None
