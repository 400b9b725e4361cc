"""The manifest's typed shape. Unknown keys are errors; every field says what it means to the JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StringConstraints, create_model, model_validator

from judgeray.emulator.behaviour import Behaviour
from judgeray.providers.account import Kind
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from judgeray.studies.perturbation.spec import PerturbationSpec
from judgeray.studies.spec import Name, Positive, Spec, Strict

Seconds = Annotated[float, Field(gt=0)]


class DatasetSpec(Strict):
    """A benchmark file and how its rows are built."""

    path: str = Field(description="File, glob, fsspec URL, or sample:NAME; relative to the working directory.")
    layout: str | None = Field(default=None, description="truthfulqa, asqa, qampari or table; the name if absent.")
    questions: Positive | None = Field(default=None, description="Take the first N source questions in file order.")
    split: str | None = Field(default=None, description="Split of a file that holds several (ASQA: dev).")
    columns: dict[str, str] = Field(default_factory=dict, description="For tables: row field -> file column.")
    documents: str | None = Field(default=None, description="For summaries that come without: a file, id -> text.")
    subsets: list[str] = Field(default_factory=list, description="For summaries: parts of a benchmark to keep.")


class JudgeSpec(Strict):
    """A model at a provider account. Parameters are sent only where they are set."""

    provider: Name = Field(description="Name of an account under providers:, or a kind of provider.")
    model: str | None = Field(default=None, description="Model as the provider names it.")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    max_output_tokens: Positive | None = None
    reasoning_effort: str | None = None
    seed: int | None = None
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    extra_body: dict[str, Any] | None = Field(default=None, description="Further body fields, as they are.")
    family: Name | None = Field(default=None, description="Who made the model; the provider's kind if absent.")


class GridEntry(Strict):
    """Designs x judges (x datasets) to run."""

    designs: Annotated[list[str], Field(min_length=1)]
    judges: Annotated[list[str], Field(min_length=1)]
    datasets: Annotated[list[str], Field(min_length=1)] | None = Field(default=None, description="All, if absent.")
    conditions: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None, description="Those of the manifest, if absent."
    )
    replicates: Positive | None = Field(default=None, description="Those of the manifest, if absent.")


class LimitsSpec(Strict):
    """Rate limits of the account over the whole cluster."""

    requests_per_minute: Positive | None = None
    input_tokens_per_minute: Positive | None = None
    output_tokens_per_minute: Positive | None = None
    requests_per_day: Positive | None = Field(default=None, description="Per day in UTC; then the account stops.")
    tokens_per_minute: Positive | None = Field(default=None, description="Input and output together (OpenAI).")


class BatchSpec(Strict):
    """How the account's batches are sent."""

    from_calls: Positive = Field(default=500, description="mode auto: realtime below so many calls.")
    most_requests: Positive | None = Field(default=None, description="Calls per batch.")
    most_open: Positive = Field(default=20, description="Batches at the provider at once.")
    most_enqueued_tokens: Positive | None = Field(default=None, description="Input tokens at the provider at once.")
    poll_seconds: Seconds = 30.0
    find_seconds: Seconds = Field(default=20.0, description="Pause between looks for a lost create.")
    deadline_hours: Seconds = 50.0


class ProviderSpec(Strict):
    """How calls reach one provider account. Nothing here changes a call key."""

    kind: Kind | None = Field(default=None, description="Whose API is spoken; the account's name if absent.")
    mode: Literal["realtime", "batch", "auto"] = "realtime"
    batch: BatchSpec = BatchSpec()
    api: Literal["responses", "chat"] | None = Field(default=None, description="OpenAI route.")
    base_url: str | None = None
    api_key_env: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    api_key_file: str | None = None
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    limits: LimitsSpec = LimitsSpec()
    concurrency: Annotated[int, Field(gt=0, le=4096)] = 64
    actors: Annotated[int, Field(gt=0, le=1024)] = Field(
        default=1, description="At most; fewer where calls or limits keep fewer busy."
    )
    gpus_per_actor: Annotated[float, Field(ge=0)] = Field(
        default=0.0, description="GPUs an actor asks Ray for (nli)."
    )
    connect_timeout_seconds: Seconds = 15.0
    timeout_seconds: Seconds = 180.0
    row_timeout_seconds: Seconds = 1800.0
    max_attempts: Positive = 6


class PriceSpec(Strict):
    """Price of a model in US dollars per million tokens, in place of the price table's."""

    input_usd_per_million: Annotated[float, Field(ge=0)]
    output_usd_per_million: Annotated[float, Field(ge=0)]
    cached_input_usd_per_million: Annotated[float, Field(ge=0)] | None = None


class DiagnosticsBase(Strict):
    """Diagnostics to run on the datasets and judges above, each by its name in the registry."""

    @model_validator(mode="before")
    @classmethod
    def _bare_name_means_defaults(cls, given: Any) -> Any:  # noqa: ANN401 -- any YAML value
        """`grounding:` with nothing behind it asks for it as it comes."""
        if isinstance(given, dict):
            return {name: {} if value is None else value for name, value in given.items()}
        return given

    def asked(self) -> dict[str, Spec]:
        """Give the diagnostics that stand in the manifest, in the registry's order."""
        found = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: spec for name, spec in found.items() if spec is not None}


if TYPE_CHECKING:
    Diagnostics = DiagnosticsBase
else:
    Diagnostics = create_model(
        "Diagnostics",
        __base__=DiagnosticsBase,
        **{name: (diagnostic.spec | None, None) for name, diagnostic in DIAGNOSTICS.items()},
    )


class Manifest(Strict):
    """One experiment.

    `providers`, `budget_usd`, `replies`, `emulator_url` and `prices` are how; all else is what, and enters
    call keys.
    """

    name: Name
    datasets: Annotated[dict[Name, DatasetSpec], Field(min_length=1)]
    judges: Annotated[dict[Name, JudgeSpec], Field(min_length=1)]
    grid: list[GridEntry] = Field(default_factory=list)
    diagnostics: Diagnostics = Field(default_factory=Diagnostics)
    perturbation: PerturbationSpec | None = Field(
        default=None, description="A study of metrics on answers made wrong step by step; alone in its manifest."
    )
    averaging: AveragingSpec | None = Field(
        default=None, description="A study of human labels against judgments of sentences; alone in its manifest."
    )
    conditions: Annotated[list[str], Field(min_length=1, default_factory=lambda: ["full"])]
    condition_texts: dict[str, str] = Field(default_factory=dict, description="Condition -> the text it appends.")
    replicates: Positive = 1
    seed: int = 42
    emulator: Behaviour | None = Field(default=None, description="Let the emulator answer, with this behaviour.")
    providers: dict[Name, ProviderSpec] = Field(default_factory=dict)
    emulator_url: str | None = Field(default=None, description="An emulator that runs already (judgeray emulate).")
    prices: dict[str, PriceSpec] = Field(default_factory=dict, description="Model -> price.")
    budget_usd: Annotated[float, Field(gt=0)] | None = Field(default=None, description="Never spend more on calls.")
    replies: str | None = Field(default=None, description="Replies folder to share with other runs.")

    @model_validator(mode="after")
    def _something_is_asked(self) -> Manifest:
        rows = bool(self.grid or self.diagnostics.asked())
        kinds = sum((rows, self.perturbation is not None, self.averaging is not None))
        if kinds > 1:
            raise ValueError("found several kinds of study: grid and diagnostics, perturbation, or averaging")
        if not kinds:
            raise ValueError(
                "found neither grid nor diagnostics, perturbation or averaging: one says what to judge"
            )
        return self
