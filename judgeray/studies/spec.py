"""What a manifest says of a diagnostic: the shape that all of them share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]*$", max_length=64)]
Names = Annotated[tuple[Name, ...], Field(min_length=1, strict=False)]
Positive = Annotated[int, Field(gt=0)]


class Strict(BaseModel):
    """Base of all parts of a manifest: no unknown keys, no silent conversions, no changes after reading."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Spec(Strict):
    """Which datasets and judges a diagnostic takes, under which output cap."""

    datasets: Names | None = Field(default=None, description="All datasets, if absent.")
    judges: Names | None = Field(default=None, description="All judges that are asked over an API, if absent.")
    max_output_tokens: Positive | None = Field(default=None, description="Output cap of all calls (cap_N).")


class DesignSpec(Spec):
    """A diagnostic that compares designs."""

    designs: Names = ("C", "H")


class ConditionSpec(DesignSpec):
    """A diagnostic that changes rows: an output cap is a condition of its own, and rows have one at a time."""

    max_output_tokens: None = None


class LogSpec(Spec):
    """A diagnostic that makes no call: it reads all verdicts that are there, whoever gave them."""

    datasets: None = None
    judges: None = None
    max_output_tokens: None = None
