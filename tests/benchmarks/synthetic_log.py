"""A made-up verdict log with the shape of study 1: 3 datasets, 14 arms each, two rows a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from judgeray.verdicts import VERDICT_SCHEMA

DATASETS = ("asqa", "qampari", "truthfulqa")
ARMS = (*product("CHRB", ("gemini", "gpt", "opus")), *product("CH", ("sonnet",)))
CELLS = len(DATASETS) * len(ARMS)

_LABELS = np.array(["supported", "partially_supported"])


def write_log(folder: Path, questions: int, replicates: int = 1) -> list[Path]:
    """Write `folder/verdicts/dataset=…/…/part-0.parquet`: 42 files of 2 x questions x replicates rows.

    Rows of a question share their luck, so that its rows are as correlated as those of real logs.
    """
    paths = []
    for place, table in cell_tables(questions, replicates):
        path = folder / "verdicts" / place / "part-0.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, path, compression="zstd")
        paths.append(path)
    return paths


def cell_tables(questions: int, replicates: int) -> Iterator[tuple[str, pa.Table]]:
    """Yield the folder and the verdict rows of each cell."""
    for number, dataset in enumerate(DATASETS):
        ease = np.random.default_rng(number).beta(5, 1, questions)
        for arm, (design, judge) in enumerate(ARMS):
            names = {"dataset": dataset, "design": design, "judge": judge}
            rng = np.random.default_rng([number, arm])
            yield "/".join(f"{k}={v}" for k, v in names.items()), _cell(names, ease, replicates, rng)


def _cell(names: dict[str, str], ease: np.ndarray, replicates: int, rng: np.random.Generator) -> pa.Table:
    question = np.repeat(np.arange(ease.size), 2 * replicates)
    row = np.tile(np.repeat([0, 1], replicates), ease.size)
    label = _LABELS[row]
    right = rng.random(question.size) < ease[question]
    parsed = rng.random(question.size) > 0.01
    dataset = names["dataset"]
    ids = np.char.add(f"{dataset}-", np.char.zfill(np.arange(ease.size).astype(str), 6))
    output = rng.integers(60, 300, question.size)
    columns = {
        **{name: [value] * question.size for name, value in names.items()},
        "question_id": ids[question],
        "row_id": np.char.add(np.char.add(f"{dataset}:", ids[question]), np.where(row == 0, ":full", ":partial")),
        "label": label,
        "condition": ["full"] * question.size,
        "replicate": np.tile(np.arange(replicates), 2 * ease.size),
        "status": np.where(parsed, "ok", "unparsed"),
        "verdict": pa.array(np.where(right, label, _LABELS[1 - row]), mask=~parsed),
        "score": pa.array(rng.integers(1, 6, question.size).astype(float), mask=~parsed),
        "confidence": pa.array(np.round(1 - 0.4 * rng.random(question.size) ** 2, 2), mask=~parsed),
        "parse_branch": pa.array(np.where(rng.random(question.size) < 0.8, "whole", "embedded"), mask=~parsed),
        "input_tokens": output + 200,
        "output_tokens": output,
        "total_tokens": 2 * output + 200,
        "cost_usd": output * 2e-5,
        "complexity": 2 + question % 9,
        "simulated": np.ones(question.size, dtype=bool),
    }
    missing = {name: pa.nulls(question.size) for name in VERDICT_SCHEMA.names if name not in columns}
    return pa.table({**columns, **missing}).select(VERDICT_SCHEMA.names).cast(VERDICT_SCHEMA)
