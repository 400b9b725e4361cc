"""From what a manifest says of a perturbation study to its arms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from operator import attrgetter

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
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
    check_parser(spec.parser)
    labels = [entry.label for entry in spec.metrics]
    check_names(where, "metrics", labels, labels)
    ladders = [LadderArm(dataset, writers, settings, spec.controls) for dataset in datasets]
    yield from ladders
    for number, entry in enumerate(spec.metrics):
        place = f"{where}.metrics.{number}"
        check_names(place, "metric", [entry.metric], METRICS)
        check_names(place, "judges", entry.judges, judges)
        for texts, name, replicate in product(ladders, entry.judges, range(entry.replicates)):
            yield _checked(place, ScoreArm(
                texts, METRICS[entry.metric], entry.label, judges[name], _settings(place, entry, judges, replicate)
            ))  # fmt: skip


def _writers(where: str, spec: PerturbationSpec, judges: Mapping[str, Judge]) -> LadderWriters:
    named = spec.writer if isinstance(spec.writer, WritersSpec) else None
    names = (named.paraphrase, named.rank, named.perturb) if named else (str(spec.writer),) * 3
    able = [name for name, judge in judges.items() if not judge.in_process]
    for name in dict.fromkeys(names):
        check_names(where, "writer", [name], able)
    return LadderWriters(*(judges[name] for name in names))


def _settings(where: str, entry: MetricSpec, judges: Mapping[str, Judge], replicate: int) -> Settings:
    if entry.nli is not None:
        check_names(where, "nli", [entry.nli], judges)
    try:
        return Settings(
            entry.atomicity,
            entry.coverage,
            entry.mode,
            entry.beta,
            entry.recall,
            entry.design,
            judges[entry.nli] if entry.nli else None,
            replicate,
        )
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from error


def _checked(where: str, arm: ScoreArm) -> ScoreArm:
    """Begin the metric once, so that what does not fit is said before any call."""
    try:
        next(arm.metric.score(_PROBE, arm.judge, arm.metric_settings), None)
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from error
    return arm
