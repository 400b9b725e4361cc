"""An arm: one way of judging the rows of one dataset."""

from __future__ import annotations

from dataclasses import dataclass

from judgeray.core.call import Judge
from judgeray.designs.pointwise import PointwiseDesign


@dataclass(frozen=True)
class Arm:
    """Dataset x condition x design x judge x replicate; rows x arms = verdict rows."""

    dataset: str
    design: PointwiseDesign
    judge: Judge
    condition: str = "full"
    replicate: int = 0

    @property
    def partition(self) -> str:
        """Folder of the arm's verdicts inside `verdicts/`."""
        return f"dataset={self.dataset}/design={self.design.name}/judge={self.judge.name}"

    @property
    def name(self) -> str:
        """How messages and files name the arm."""
        return f"{self.partition}/{self.condition}-r{self.replicate}"
