"""Laws of the manifests that ship: each means a known number of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgeray.core.task import Shard
from judgeray.engine.layout import RepliesFolder
from judgeray.run.plan import plan
from judgeray.run.resolve import read_experiment
from judgeray.run.survey import survey
from judgeray.studies.grid import grid_shards
from tests.run.bench import ROOT

FILES = {
    "TruthfulQA.csv": "truthfulqa/v1/TruthfulQA.csv",
    "ASQA.json": "asqa/asqa_dev.json",
    "qampari_dev.jsonl": "qampari/qampari.json",
}
CALLS = {"quickstart.yaml": 2_848, "support_labels.yaml": 16_800 + 4_800}


@pytest.fixture
def data_here(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory whose data/ holds the benchmark files under their official names."""
    (tmp_path / "data").mkdir()
    for name, found in FILES.items():
        (tmp_path / "data" / name).symlink_to(data_folder / found)
    monkeypatch.chdir(tmp_path)


def test_every_shipped_manifest_is_counted() -> None:
    """No manifest ships without a pinned number of calls."""
    assert {path.name for path in (ROOT / "manifests").glob("*.yaml")} == set(CALLS)


@pytest.mark.parametrize("name", sorted(CALLS))
@pytest.mark.usefixtures("data_here")
def test_manifest_means_so_many_calls(name: str) -> None:
    """Rows x arms is the pinned number: the paper's 16,800 rows for its grid, and the free baseline's."""
    experiment = read_experiment(ROOT / "manifests" / name)
    shards = [part.shard() for part in grid_shards(experiment.sources, experiment.arms)]
    assert sum(_size(shard) for shard in shards) == CALLS[name]
    assert len({shard.name for shard in shards}) == len(shards)


def _size(shard: Shard) -> int:
    return len(shard.tasks)


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
