"""What a manifest says of a perturbation study."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from judgeray.metrics.settings import Level, Mode, Recall
from judgeray.studies.spec import Name, Names, Positive, Strict
from judgeray.writers.perturbation.parser import DEFAULT_PARSER


class WritersSpec(Strict):
    """Who writes at each step; names of judges."""

    paraphrase: Name
    rank: Name
    perturb: Name


class MetricSpec(Strict):
    """One metric with its settings, over several judges."""

    metric: str = Field(description="Name in the registry of metrics.")
    judges: Names
    name: Name | None = Field(default=None, description="Name in tables; the metric's if absent.")
    atomicity: Level | None = None
    coverage: Level | None = None
    mode: Mode = "f1"
    beta: Annotated[float, Field(gt=0)] = 1.0
    recall: Recall = "ragas"
    design: str = Field(default="H", description="Design behind support_verdict and support_score.")
    nli: Name | None = Field(default=None, description="Judge of an account of kind nli.")
    replicates: Positive = 1

    @property
    def label(self) -> str:
        """Name of the metric in tables."""
        return self.name or self.metric


class PerturbationSpec(Strict):
    """How answers are made wrong, and what scores them."""

    writer: Name | WritersSpec = Field(description="A judge that writes, or one for each step.")
    metrics: Annotated[list[MetricSpec], Field(min_length=1)]
    keep_share: Annotated[float, Field(gt=0, le=1)] = Field(default=0.8, description="The paper's k.")
    levels: Positive = 4
    parser: str = Field(default=DEFAULT_PARSER, description="Installed spaCy model, by its package name.")
    controls: bool = Field(default=True, description="Also score changes of A0 that leave every fact alone.")
    choices: str | None = Field(default=None, description="Human choices: question_id, level, evaluator, choice.")
    scores: str | None = Field(default=None, description="Scores of other tools, joined to these.")
