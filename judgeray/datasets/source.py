"""A dataset as the manifest names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class DatasetSource:
    """Where rows come from.

    `name` stands in the `dataset` column of every row. `layout` names a loader (`registry.LAYOUTS`). `path`
    is a local path, a glob, an fsspec URL (`s3://`, `hf://`, ...) or `sample:NAME` for a packaged sample.
    `questions` keeps the first so many source questions in file order, None keeps all. `split` is for files
    that hold several (ASQA's original layout), `columns` (row field -> column of the file) for tables.

    What an earlier reading of the very same files found need not be found again: `ids_checked` says that no id
    comes twice, `questions_together` that no two rows of one question are parted by one of another.
    """

    name: str
    layout: str
    path: str
    questions: int | None = None
    split: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ids_checked: bool = False
    questions_together: bool = False
