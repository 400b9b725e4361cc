"""Settings of metrics: one record for all of them; each metric says which fields it reads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError, bad_value
from judgeray.designs.registry import DESIGNS

Level = Literal["low", "high"]
Mode = Literal["precision", "recall", "f1"]
Recall = Literal["ragas", "covered"]

_CHOICES: dict[str, tuple[str | None, ...]] = {
    "atomicity": (*get_args(Level), None),
    "coverage": (*get_args(Level), None),
    "mode": get_args(Mode),
    "recall": get_args(Recall),
    "design": tuple(DESIGNS),
}


@dataclass(frozen=True)
class Settings:
    """How a metric is run; raises BadInputError for a value that is not allowed.

    `atomicity` and `coverage` say how finely and how completely a text is split into claims; None is the metric's
    own default. `mode` and `beta` pick the number, `recall` what recall is (see `metrics.f_beta`). `design` is
    the pointwise design behind the support metrics. `nli` is the in-process judge of `factual_correctness_nli`.
    `replicate` tells repeated scorings of one answer apart.
    """

    atomicity: Level | None = None
    coverage: Level | None = None
    mode: Mode = "f1"
    beta: float = 1.0
    recall: Recall = "ragas"
    design: str = "H"
    nli: Judge | None = None
    replicate: int = 0

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                options = [option for option in allowed if option is not None]
                raise bad_value("metric settings", name, getattr(self, name), options)
        if not (math.isfinite(self.beta) and self.beta > 0):
            raise BadInputError(f"metric settings: beta: found {self.beta}, allowed: a number above 0.")
