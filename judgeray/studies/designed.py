"""What arms share that judge by a design."""

from __future__ import annotations

from typing import Protocol


class Design(Protocol):
    """What an arm tells of its design."""

    @property
    def name(self) -> str:
        """Name of the design."""
        ...

    @property
    def output_tokens(self) -> int:
        """Tokens that a reply is expected to have."""
        ...


class Designed:
    """An arm that is named after its design, and expects what the design writes."""

    design: Design

    @property
    def design_name(self) -> str:
        """Name of the design."""
        return self.design.name

    @property
    def output_tokens(self) -> int:
        """Tokens that the design is expected to write."""
        return self.design.output_tokens
