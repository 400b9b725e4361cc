"""What provenance tells of a prompt."""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol


class Prompt(Protocol):
    """Anything with a version and a source: a design or a writer."""

    @property
    def version(self) -> str:
        """Version of the wording."""
        ...

    @property
    def source(self) -> str:
        """Where the wording is printed."""
        ...


def prompt_facts(prompt: Prompt, *texts: str) -> dict[str, str]:
    """Give version, source, and the SHA-256 (hex) of the texts of which the prompt is made."""
    digest = sha256("\0".join(texts).encode()).hexdigest()
    return {"version": prompt.version, "source": prompt.source, "sha256": digest}
