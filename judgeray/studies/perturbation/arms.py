"""From what a manifest says of a perturbation study to its arms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import product
from operator import attrgetter
from typing import TypeVar

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.questions import load_questions
from judgeray.metrics.metric import Scored
from judgeray.metrics.registry import METRICS
from judgeray.metrics.settings import Settings
from judgeray.studies.arm import Arm
from judgeray.studies.cast import check_names
from judgeray.studies.perturbation.ladder_arm import LadderArm
from judgeray.studies.perturbation.score_arm import ScoreArm
from judgeray.studies.perturbation.spec import MetricSpec, PerturbationSpec, WritersSpec
from judgeray.studies.study import Study
from judgeray.writers.perturbation.ladder import LadderSettings, LadderWriters
from judgeray.writers.perturbation.parser import check_parser

T = TypeVar("T")

PERTURBATION = Study("perturbation", load_questions, attrgetter("question_id"))
"""Questions with a reference, made wrong step by step (study 2)."""

_PROBE = Scored("question", "reference", "answer")


def perturbation_arms(
    where: str, spec: PerturbationSpec, datasets: Iterable[str], judges: Mapping[str, Judge], seed: int
) -> Iterator[Arm]:
    """Yield one ladder arm a dataset, then every metric over every judge.

    Raises BadInputError, before any call, for a name that is not known, a parser that is not installed, and a
    metric whose settings or judge do not fit.
    """
    writers = _writers(where, spec, judges)
    settings = LadderSettings(spec.keep_share, spec.levels, spec.parser, seed)
    _placed(where, lambda: check_parser(spec.parser))
    _check_labels(where, [entry.label for entry in spec.metrics])
    ladders = [LadderArm(dataset, writers, settings, spec.controls) for dataset in datasets]
    yield from ladders
    for number, entry in enumerate(spec.metrics):
        place = f"{where}.metrics.{number}"
        check_names(place, "metric", [entry.metric], METRICS)
        check_names(place, "judges", entry.judges, judges)
        _check_read(place, entry)
        for texts, name, replicate in product(ladders, entry.judges, range(entry.replicates)):
            yield _checked(place, ScoreArm(
                texts, METRICS[entry.metric], entry.label, judges[name], _settings(place, entry, judges, replicate)
            ))  # fmt: skip


def _writers(where: str, spec: PerturbationSpec, judges: Mapping[str, Judge]) -> LadderWriters:
    able = [name for name, judge in judges.items() if not judge.in_process]
    if not isinstance(spec.writer, WritersSpec):
        check_names(where, "writer", [spec.writer], able)
        return LadderWriters(*[judges[spec.writer]] * 3)
    named: dict[str, str] = spec.writer.model_dump()
    for step, name in named.items():
        check_names(where, f"writer.{step}", [name], able)
    return LadderWriters(**{step: judges[name] for step, name in named.items()})


def _check_labels(where: str, labels: Sequence[str]) -> None:
    """Raise BadInputError for a name in tables that two metrics have."""
    for number, label in enumerate(labels):
        if label in labels[:number]:
            raise BadInputError(
                f"{where}.metrics.{number}: '{label}' is the name of an earlier metric; give this one another with "
                "name:."
            )


def _check_read(where: str, entry: MetricSpec) -> None:
    """Raise BadInputError for a setting that the metric does not read: it would change nothing."""
    read = METRICS[entry.metric].reads
    for name in sorted(entry.model_fields_set & {field.name for field in fields(Settings)} - read):
        raise bad_value(where, f"setting of {entry.metric}", name, read & set(MetricSpec.model_fields))


def _settings(where: str, entry: MetricSpec, judges: Mapping[str, Judge], replicate: int) -> Settings:
    if entry.nli is not None:
        check_names(where, "nli", [entry.nli], judges)
    nli = judges[entry.nli] if entry.nli else None
    return _placed(where, lambda: Settings(
        entry.atomicity, entry.coverage, entry.mode, entry.beta, entry.recall, entry.design, nli, replicate
    ))  # fmt: skip


def _checked(where: str, arm: ScoreArm) -> ScoreArm:
    """Begin the metric once, so that what does not fit is said before any call."""
    _placed(where, lambda: next(arm.metric.score(_PROBE, arm.judge, arm.metric_settings), None))
    return arm


def _placed(where: str, build: Callable[[], T]) -> T:
    """Build something; what is wrong with it is said with its place."""
    try:
        return build()
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from error
