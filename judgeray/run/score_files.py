"""Files that a perturbation manifest names beside its questions: human choices, and scores of other tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

import polars as pl

from judgeray.analysis.columns import shown
from judgeray.analysis.scores.choices import read_choices
from judgeray.analysis.scores.log import IDENTITY, UNNAMED, read_scores
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.questions import load_questions
from judgeray.datasets.source import DatasetSource
from judgeray.questions import Question
from judgeray.run.resolve import Experiment
from judgeray.studies.perturbation.score_arm import ScoreArm


def check_score_files(experiment: Experiment) -> None:
    """Read the files that a perturbation manifest names, before any call.

    Raises BadInputError for one that cannot be read or speaks of no question of the datasets, for scores of a
    dataset that is not there, and for scores that the run will make itself.
    """
    spec, where = experiment.manifest.perturbation, f"{experiment.path}: perturbation"
    if spec and spec.choices:
        choices = choices_of(where, spec.choices)
        _check_questions(f"{where}: choices: {spec.choices}", choices, experiment.sources)
    if spec and spec.scores:
        scores = other_scores(where, spec.scores, [source.name for source in experiment.sources])
        for source in experiment.sources:
            mine = scores.filter(pl.col("dataset") == source.name)
            if not mine.is_empty():
                _check_questions(f"{where}: scores: {spec.scores}", mine, [source])
        _check_new(f"{where}: scores: {spec.scores}", scores, experiment)


def choices_of(where: str, path: str) -> pl.DataFrame:
    """Read human choices as `read_choices` does; what it raises begins with the place in the manifest."""
    return _read(f"{where}: choices", path, read_choices)


def other_scores(where: str, path: str, datasets: Collection[str]) -> pl.DataFrame:
    """Read scores of other tools as `read_scores` does; without a dataset they are of the only one there is.

    Raises BadInputError, beginning with the place in the manifest, for a file that does not fit, and for a dataset
    that is none of `datasets`.
    """
    scores = _read(f"{where}: scores", path, read_scores)
    if len(datasets) == 1:
        scores = scores.with_columns(pl.col("dataset").replace(UNNAMED, *datasets))
    for name in scores["dataset"].unique().sort():
        if name not in datasets:
            raise bad_value(f"{where}: scores: {path}", "dataset", shown(name), datasets)
    return scores


def joined(scores: pl.DataFrame, others: pl.DataFrame, where: str) -> pl.DataFrame:
    """Put scores of other tools beside a run's. Raises BadInputError where both hold the same one."""
    both = pl.concat([scores, others], how="vertical")
    for row in both.filter(both.select(IDENTITY).is_duplicated()).head(1).to_dicts():
        raise BadInputError(
            f"{where}: metric '{shown(row['metric'])}' by judge '{shown(row['judge'])}' is scored by the run as "
            "well; give the metric another name in the file."
        )
    return both


def _read(where: str, path: str, read: Callable[[Path], pl.DataFrame]) -> pl.DataFrame:
    try:
        return read(Path(path))
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from error


def _check_questions(where: str, found: pl.DataFrame, sources: Iterable[DatasetSource]) -> None:
    """Raise BadInputError where no row is about a question of the datasets, whatever number of them is asked."""
    ids = set(found["question_id"])
    names = []
    for source in sources:
        items = load_questions(replace(source, questions=None))
        if any(isinstance(item, Question) and _recorded(item.question_id) in ids for item in items):
            return
        names.append(f"'{source.name}'")
    raise BadInputError(
        f"{where}: question_id: found '{shown(min(ids))}', which is no question of {' or '.join(names)}, nor is "
        "any other id in the file."
    )


def _recorded(question_id: str) -> str:
    """Spell an id as files do, which hold no lone surrogates."""
    return question_id.encode("utf-8", "backslashreplace").decode("utf-8")


def _check_new(where: str, scores: pl.DataFrame, experiment: Experiment) -> None:
    made = {(arm.dataset, arm.label, arm.judge.name) for arm in experiment.arms if isinstance(arm, ScoreArm)}
    for key in sorted(made.intersection(scores.select("dataset", "metric", "judge").iter_rows())):
        raise BadInputError(
            f"{where}: metric '{key[1]}' by judge '{key[2]}' is scored by the run as well; give the metric another "
            "name in the file."
        )
