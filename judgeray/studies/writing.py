"""What arms share that have texts written, in one call each."""

from __future__ import annotations

import json
from typing import Any

from judgeray.core.replay import State, Stuck
from judgeray.studies.one_call import OneCall
from judgeray.studies.prompts import prompt_facts
from judgeray.studies.verdict_rows import Price, totals
from judgeray.verdicts import TEXT_SCHEMA
from judgeray.writers.writer import Writer


class Writing(OneCall):
    """Dataset x writer x generator: `judge` is the generator, with its parameters as they are sent."""

    dataset: str
    writer: Writer

    schema = TEXT_SCHEMA

    @property
    def design_name(self) -> str:
        """Name of the writer."""
        return self.writer.name

    @property
    def output_tokens(self) -> int:
        """Tokens that a text is expected to have."""
        return self.writer.output_tokens

    @property
    def prompts(self) -> dict[str, dict[str, str]]:
        """Name, version, source and hash of the writer's prompt."""
        return {self.writer.name: prompt_facts(self.writer, self.writer.system, self.writer.template)}

    @property
    def partition(self) -> str:
        """Folder of the texts."""
        return f"texts/dataset={self.dataset}/writer={self.writer.name}/generator={self.judge.name}"

    @property
    def variant(self) -> str:
        """Version of the writer."""
        return self.writer.version

    def text_record(
        self, question_id: str, text_id: str, state: State[Any], price: Price, **written: object
    ) -> dict[str, Any]:
        """Build a text's row; `written` holds `status` and `text`, and what else is known. Null means not known."""
        return {
            "dataset": self.dataset,
            "question_id": question_id,
            "text_id": text_id,
            "writer": f"{self.writer.name} {self.writer.version}",
            "generator": self.judge.name,
            "partial": None,
            "identical": None,
            "parameters": json.dumps(dict(self.judge.parameters), sort_keys=True),
            "provider": self.judge.provider,
            "model": self.judge.model,
            "error": state.failure.error if isinstance(state, Stuck) else None,
            **totals(state, price),
            **written,
        }
