"""What was said about one row, as Inspect messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

from judgeray.core.reply import Reply
from judgeray.report.evidence import Exchange
from judgeray.run.inspect_log.names import plain


@dataclass(frozen=True)
class Answer:
    """A kept reply, and the message that it is; without text the message is empty."""

    reply: Reply
    message: ChatMessageAssistant


@dataclass(frozen=True)
class Turn:
    """One call: the messages asked (none where prompts cannot be rebuilt), and the answer, where one is kept.

    `name` begins the ids of its messages.
    """

    name: str
    asked: list[ChatMessage]
    answer: Answer | None

    @property
    def messages(self) -> list[ChatMessage]:
        """Question and answer."""
        return [*self.asked, *([self.answer.message] if self.answer else [])]


def turns_of(prompts: Sequence[Exchange], replies: Sequence[Reply | None], model: str, row_name: str) -> list[Turn]:
    """Pair the prompts of a row with its replies, both in the order of its calls; either may be missing."""
    pairs = enumerate(zip_longest(prompts, replies))
    return [_turn(prompt, reply, model, f"{row_name}-{number}") for number, (prompt, reply) in pairs]


def _turn(prompt: Exchange | None, reply: Reply | None, model: str, name: str) -> Turn:
    asked = list(_asked(prompt, name)) if prompt else []
    if reply is None:
        return Turn(name, asked, None)
    text = plain(reply.text or "")
    message = ChatMessageAssistant(id=f"{name}-reply", content=text, source="generate", model=model)
    return Turn(name, asked, Answer(reply, message))


def _asked(prompt: Exchange, name: str) -> Iterator[ChatMessage]:
    if prompt.system is not None:
        yield ChatMessageSystem(id=f"{name}-system", content=plain(prompt.system), source="input")
    yield ChatMessageUser(id=f"{name}-user", content=plain(prompt.user), source="input")
