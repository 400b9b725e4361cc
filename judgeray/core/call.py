"""A call: everything that decides what a model is asked, and the key under which its reply is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from json.encoder import encode_basestring_ascii

from judgeray.core.canonical import JSONValue, canonical_json

_HOW = frozenset({"shared_prefix_characters"})
"""Fields of a call that change no word of what is asked."""


@dataclass(frozen=True)
class Judge:
    """A judge as the manifest names it: a model at a provider account, with the parameters that are sent.

    `parameters` holds only what the manifest sets (`temperature`, `max_output_tokens`, ...). `in_process`
    judges are computed here and are given the texts as JSON instead of a prompt. `simulated` is the digest
    of the emulator's behaviour when an emulator answers, so that such replies never serve a real run.
    """

    name: str
    provider: str
    model: str
    parameters: Mapping[str, JSONValue] = field(default_factory=dict)
    in_process: bool = False
    simulated: str | None = None

    def call(
        self, system: str | None, user: str, replicate: int = 0, shared_prefix_characters: int | None = None
    ) -> Call:
        """Ask this judge: the call that holds `system` and `user` and this judge's parameters."""
        return Call(
            self.provider,
            self.model,
            system,
            user,
            self.parameters,
            replicate,
            self.simulated,
            shared_prefix_characters,
        )


@dataclass(frozen=True)
class Call:
    """One request to one model; *how* it travels (mode, limits, base URL, retries) is no part of it.

    `shared_prefix_characters` is the one exception, and enters no key: it says that other calls begin with the same
    system text and as many characters of `user`, so that a provider may keep its work on them. What the model reads
    is the same with and without it.
    """

    provider: str
    model: str
    system: str | None
    user: str
    parameters: Mapping[str, JSONValue] = field(default_factory=dict)
    replicate: int = 0
    simulated: str | None = None
    shared_prefix_characters: int | None = None

    @cached_property
    def key(self) -> str:
        """SHA-256 (hex) of the canonical JSON of what is asked: all fields that are not None, but for how.

        Leaving None out lets later versions add optional fields without changing any key bought before.
        """
        return sha256(self._asked.encode("ascii")).hexdigest()

    def to_json(self) -> str:
        """Canonical JSON, ASCII only; `Call.from_json` reads it back without loss."""
        return self._asked if self.shared_prefix_characters is None else self._spelled(_NAMES)

    @cached_property
    def _asked(self) -> str:
        return self._spelled(_WHAT)

    def _spelled(self, names: tuple[str, ...]) -> str:
        """What `canonical_json` makes of these fields as far as they are not None, in a fifth of its time: rows
        come by the million, and each is spelled several times."""
        given = [(name, value) for name in names if (value := getattr(self, name)) is not None]
        return "{" + ",".join([f'"{name}":{_spell(value)}' for name, value in given]) + "}"

    @classmethod
    def from_json(cls, text: str | bytes, key: str | None = None) -> Call:
        """Read what `to_json` wrote; a `key` that was kept beside it is not computed again."""
        call = cls(**{"system": None, **json.loads(text)})
        if key is not None:
            call.__dict__["key"] = key
        return call


_NAMES = tuple(sorted(field.name for field in fields(Call)))
_WHAT = tuple(name for name in _NAMES if name not in _HOW)


def _spell(value: object) -> str:
    if type(value) is str:
        return encode_basestring_ascii(value)
    return str(value) if type(value) is int else canonical_json(value)
