"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.object_store import ObjectStore, object_store

# No test is timed: a loaded machine must not fail one.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

WHOLE_RUNS = Path(__file__).parent / "run"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files whose tests run the whole command go first, so that none of them is begun when all else has ended."""
    items.sort(key=lambda item: WHOLE_RUNS not in item.path.parents)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Folder of the public benchmark files; tests that need it are skipped where it is not given."""
    folder = os.environ.get("JUDGERAY_TEST_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("JUDGERAY_TEST_DATA does not name a folder")
    return Path(folder)


@pytest.fixture(scope="session")
def store() -> Iterator[ObjectStore]:
    """An S3 server on loopback."""
    with object_store() as served:
        yield served
