"""On the real files, the study asks about as many sentences as they hold; no call is needed to know."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from judgeray.datasets.summaries_registry import load_summaries
from judgeray.datasets.summaries_split import SINGLE_SENTENCE
from judgeray.datasets.summary_source import SummarySource
from judgeray.designs.sentence import F
from judgeray.rows import Skip
from judgeray.run.annotated import annotations_of, check_annotated
from judgeray.run.resolve import Experiment, read_experiment
from judgeray.run.survey import DatasetFacts, survey
from judgeray.studies.averaging.claim_arm import ClaimArm
from judgeray.studies.averaging.sentence_arm import SentenceArm
from judgeray.studies.parts import parts
from tests.studies.averaging.scripted_summaries import GPT, manifest_of, written

LAYOUTS = {
    "cliff": ("aggrefact", "aggrefact/CLIFF_error_types.csv"),
    "goyal21": ("aggrefact", "aggrefact/Goyal21_error_types.csv"),
    "halueval": ("halueval", "halueval/dataset_halueval_summarization.first500.jsonl"),
    "cnndm": ("qags", "qags/mturk_cnndm.jsonl"),
    "xsum": ("qags", "qags/mturk_xsum.jsonl"),
    "tofueval": ("tofueval", "tofueval/*_dev.csv"),
}


@dataclass(frozen=True)
class Found:
    """A study of real files, surveyed."""

    experiment: Experiment
    facts: dict[str, DatasetFacts]


def study(folder: Path, data: Path, names: str, averaging: str, extra: str = "") -> Found:
    """Read and survey a study of some of the files."""
    sources = ", ".join(
        f"{name}: {{layout: {LAYOUTS[name][0]}, path: '{data / LAYOUTS[name][1]}'{extra}}}"
        for name in names.split()
    )
    experiment = read_experiment(written(folder, manifest_of(averaging, GPT, sources)))
    facts = survey(experiment.sources, experiment.arms, experiment.study)
    check_annotated(experiment, facts)
    return Found(experiment, facts)


@pytest.mark.parametrize(
    ("name", "documents", "summaries", "sentences", "single"),
    [("cliff", 152, 292, 991, 308), ("halueval", 498, 943, 2654, 57)],
)
def test_sentences_of_benchmarks(
    tmp_path: Path, data_folder: Path, name: str, documents: int, summaries: int, sentences: int, single: int
) -> None:
    """Sentences, summaries and documents that are judged, and single sentences that are not."""
    found = study(tmp_path, data_folder, name, "sentences: pysbd")
    facts = found.facts[name]
    assert (facts.questions, facts.rows, facts.units) == (documents, summaries, sentences)
    assert facts.skips == {SINGLE_SENTENCE: single}
    items = [item for part in parts(found.experiment.sources, found.experiment.arms, found.experiment.study)
             for item in part.items]  # fmt: skip
    assert len(items) == sentences


def test_goyal21_is_left_out_whole(tmp_path: Path, data_folder: Path) -> None:
    """Its summaries are single sentences of XSum: beside another dataset it is counted and not judged."""
    facts = study(tmp_path, data_folder, "cliff goyal21", "sentences: pysbd").facts
    assert (facts["goyal21"].rows, facts["goyal21"].units) == (0, 0)
    assert facts["goyal21"].skips == {SINGLE_SENTENCE: 150}


def test_votes_of_qags(tmp_path: Path, data_folder: Path) -> None:
    """All 714 sentences of CNN/DM have a majority; XSum's 239 are single, and of use for claims alone."""
    claims = "sentences: own, annotations: own, claims: {writer: gpt}"
    found = study(tmp_path, data_folder, "cnndm xsum", claims)
    sizes = {name: (facts.rows, facts.units, facts.labelled) for name, facts in found.facts.items()}
    assert sizes == {"cnndm": (235, 714, 714), "xsum": (239, 0, 239)}
    marks = annotations_of(found.experiment)
    assert marks is not None
    assert dict(marks["dataset"].value_counts().rows()) == {"cnndm": 714}
    assert dict(marks["annotation"].value_counts().rows()) == {"Faithful": 531, "Unfaithful": 183}
    kinds = {SentenceArm: 0, ClaimArm: 0}
    for part in parts(found.experiment.sources, found.experiment.arms, found.experiment.study):
        if type(part.arm) in kinds:
            kinds[type(part.arm)] += len(part.items)
    assert kinds == {SentenceArm: 714, ClaimArm: 714 + 239}


def test_claims_of_tofueval(tmp_path: Path, data_folder: Path) -> None:
    """With documents, its labelled sentences are taken apart, though nobody labelled a whole summary."""
    layout, path = LAYOUTS["tofueval"]
    skips = load_summaries(SummarySource("tofueval", layout, str(data_folder / path)))
    ids = sorted({item.question_id for item in skips if isinstance(item, Skip)})
    (tmp_path / "documents.json").write_text(json.dumps(dict.fromkeys(ids, "Words.")), "utf-8")
    extra, claims = f", documents: '{tmp_path}/documents.json'", "sentences: own, claims: {writer: gpt}"
    facts = study(tmp_path, data_folder, "tofueval", claims, extra).facts["tofueval"]
    assert (facts.rows, facts.units, facts.labelled) == (1243, 0, 2793 + 644)


@pytest.mark.parametrize(("name", "splitter"), [("cliff", "pysbd"), ("halueval", "pysbd"), ("cnndm", "own")])
def test_calls_of_a_real_document_begin_alike(tmp_path: Path, data_folder: Path, name: str, splitter: str) -> None:
    """Sentences of one document follow each other in one go, and their calls share all but the sentence."""
    found = study(tmp_path, data_folder, name, f"sentences: {splitter}", ", questions: 40")
    experiment = found.experiment
    calls = [
        call
        for part in parts(experiment.sources, experiment.arms, experiment.study)
        for task in part.shard().tasks
        for call in next(task.start())
    ]
    shared = [call.user[: call.shared_prefix_characters] for call in calls]
    changes = sum(before != after for before, after in pairwise(shared))
    assert changes + 1 == len(set(shared)) == found.facts[name].questions
    assert all(prefix.startswith(F.before) and prefix.endswith(F.between) for prefix in shared)
