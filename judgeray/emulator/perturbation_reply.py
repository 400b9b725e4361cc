"""Simulated replies to the three prompts of an answer ladder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.draws import uniforms
from judgeray.emulator.perturbation_edit import (
    KEPT_CHANGED_SHARE,
    UNTAGGED_SHARE,
    edit,
    untagged_edit,
    with_kept_term_changed,
    written_edit,
)
from judgeray.emulator.perturbation_luck import Mending
from judgeray.emulator.perturbation_paraphrase import paraphrase
from judgeray.emulator.perturbation_rank import ODD_SHARE, odd_ranking, rank, written_ranking
from judgeray.emulator.prompt import Prompt
from judgeray.writers.perturbation.paraphrase import PARAPHRASE
from judgeray.writers.perturbation.perturb import PERTURB
from judgeray.writers.perturbation.rank import RANK
from judgeray.writers.writer import Writer

_MENDING = Mending()


def perturbation_reply(prompt: Prompt, behaviour: Behaviour, mending: Mending = _MENDING) -> str | None:
    """Answer a ladder's prompt; None where the prompt is none.

    A share ODD_SHARE of rankings cannot be used, and a share UNTAGGED_SHARE of edits lacks its tags, until a fresh
    draw mends them. A share KEPT_CHANGED_SHARE of edits changes a term that was to be kept, whenever it is drawn.
    """
    for step, write in _STEPS:
        text = _asked(step, prompt)
        if text is not None:
            return write(text, partial(mending.is_odd, prompt.digest), str(behaviour.seed), prompt.digest)
    return None


def _asked(step: Writer, prompt: Prompt) -> str | None:
    before, behind = step.template.split("{text}")
    user, length = prompt.user, len(before) + len(behind)
    fits = user.startswith(before) and user.endswith(behind) and len(user) >= length
    return user[len(before) : len(user) - len(behind)] if prompt.system == step.system and fits else None


def _paraphrased(text: str, _is_odd: Callable[[], bool], *_names: str) -> str:
    return paraphrase(text)


def _ranked(text: str, is_odd: Callable[[], bool], *names: str) -> str:
    order = rank(text, *names)
    luck, kind, *_ = uniforms("rank", *names)
    return odd_ranking(order, kind) if luck < ODD_SHARE and is_odd() else written_ranking(order)


def _edited(text: str, is_odd: Callable[[], bool], *names: str) -> str:
    after = edit(text, *names)
    untagged, changed, *_ = uniforms("edit", *names)
    if changed < KEPT_CHANGED_SHARE:
        after = with_kept_term_changed(after, *names)
    return untagged_edit(after) if untagged < UNTAGGED_SHARE and is_odd() else written_edit(text, after)


_STEPS: tuple[tuple[Writer, Callable[..., str]], ...] = (
    (PARAPHRASE, _paraphrased),
    (RANK, _ranked),
    (PERTURB, _edited),
)
