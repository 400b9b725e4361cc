"""A tiny NLI checkpoint, and how tests ask the client about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from judgeray.core.call import Call, Judge
from judgeray.core.canonical import canonical_json
from judgeray.core.reply import Reply
from judgeray.providers.account import Account
from judgeray.providers.connect import connect

ODD_ORDER = {0: "Contradiction", 1: "entail", 2: "NEUTRAL"}
TEXT = "the song was written by starr harrison in 1973 . it came out of london and no one else knew"
WORDS = TEXT.split()
ACCOUNT = Account("nli", "nli", timeout_seconds=60)
MOST_TOKENS = 48
NO_EXTRA = "the extra nli is not installed"


def build_checkpoint(folder: Path, id2label: Mapping[int, str]) -> str:
    """Save a tiny cross-encoder with random weights and a hand-made vocabulary; returns its path."""
    pytest.importorskip("sentence_transformers", reason=NO_EXTRA)
    torch: Any = pytest.importorskip("torch", reason=NO_EXTRA)
    library: Any = pytest.importorskip("transformers", reason=NO_EXTRA)
    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    torch.manual_seed(0)
    config = library.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=MOST_TOKENS,
        initializer_range=1.0,
        id2label=dict(id2label),
        label2id={label: index for index, label in id2label.items()},
    )
    library.BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer = library.BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=MOST_TOKENS)
    tokenizer.save_pretrained(folder)
    return str(folder)


def asked(model: str, premise: str, hypothesis: str) -> Call:
    """A metric's call for one pair."""
    judge = Judge("nli", "nli", model, in_process=True)
    return judge.call(None, canonical_json({"premise": premise, "hypothesis": hypothesis}))


def answers(calls: Sequence[Call], account: Account = ACCOUNT) -> list[Reply | BaseException]:
    """All replies, or what was raised instead, of calls that are asked at once."""

    async def run() -> list[Reply | BaseException]:
        client = connect(account)
        try:
            return await asyncio.gather(*(client.answer(call) for call in calls), return_exceptions=True)
        finally:
            await client.close()

    return asyncio.run(run())
