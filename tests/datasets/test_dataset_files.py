"""Paths, globs, URLs and packaged samples are found alike, and what is not there is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from fsspec.registry import _registry

from judgeray.core.errors import BadInputError
from judgeray.datasets.files import data_files, only_file
from judgeray.datasets.source import DatasetSource
from judgeray.samples import SAMPLES, sample_path


def source(path: str | Path, layout: str = "table") -> DatasetSource:
    """Name a path as a dataset called data."""
    return DatasetSource("data", layout, str(path))


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    """Give an empty in-memory file system."""
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def read(path: str | Path) -> list[bytes]:
    """Read all files that a path names."""
    contents = []
    for file in data_files(source(path)):
        with file.open() as stream:
            contents.append(stream.read())
    return contents


def test_glob_is_sorted(tmp_path: Path) -> None:
    """A glob gives its files in the order of their paths, folders left out."""
    for name in ("c.csv", "a.csv", "b.csv"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "d.csv").mkdir()
    assert read(tmp_path / "*.csv") == [b"a.csv", b"b.csv", b"c.csv"]


def test_brackets_in_a_name(tmp_path: Path) -> None:
    """A file whose name looks like a pattern is found by its name."""
    (tmp_path / "data[1].csv").write_bytes(b"x")
    assert read(tmp_path / "data[1].csv") == [b"x"]


def test_url_and_url_glob(memory: fsspec.AbstractFileSystem) -> None:
    """An fsspec URL serves as a path, with and without a pattern, and is named as a URL."""
    memory.pipe({"/d/b.csv": b"2", "/d/a.csv": b"1"})
    assert read("memory://d/b.csv") == [b"2"]
    assert read("memory://d/*.csv") == [b"1", b"2"]
    assert data_files(source("memory://d/*.csv"))[0].where == "dataset 'data', memory:///d/a.csv"


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name: str) -> None:
    """`sample:NAME` names the packaged file."""
    assert read(f"sample:{name}") == [sample_path(name).read_bytes()]


def test_unknown_sample() -> None:
    """An unknown sample is refused with the names that there are."""
    with pytest.raises(
        BadInputError, match=r"dataset 'data': path: found 'sample:nq', allowed: sample:asqa, sample"
    ):
        data_files(source("sample:nq"))
    with pytest.raises(BadInputError, match=r"found 'nq', allowed: asqa, qampari, .*truthfulqa"):
        sample_path("nq")


@pytest.mark.parametrize("path", ["nothing.csv", "*.csv", "memory://nothing.csv", "memory://no/*.csv"])
def test_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """A path or pattern without a file is refused, naming dataset and path."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInputError) as caught:
        data_files(source(path))
    assert str(caught.value) == f"dataset 'data': no file at '{path}'"


def test_folder(tmp_path: Path) -> None:
    """A folder is refused with a pattern to name instead."""
    with pytest.raises(BadInputError, match=r"is a folder; name a file or a pattern such as '.*/\*\.parquet'"):
        data_files(source(f"{tmp_path}/"))


def test_several_files_for_one(tmp_path: Path) -> None:
    """A layout of one file refuses a pattern that matches two."""
    (tmp_path / "a.csv").touch()
    (tmp_path / "b.csv").touch()
    with pytest.raises(BadInputError, match="matches 2 files; layout 'asqa' reads one"):
        only_file(source(tmp_path / "*.csv", "asqa"))


@pytest.mark.parametrize(
    ("url", "module", "extra"),
    [("s3://bucket/a.csv", "s3fs", "s3"), ("hf://datasets/o/n/a.csv", "huggingface_hub", "hf")],
)
def test_missing_backend(monkeypatch: pytest.MonkeyPatch, url: str, module: str, extra: str) -> None:
    """A URL whose package is not installed names the extra to install."""
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(_registry, extra, raising=False)
    with pytest.raises(BadInputError) as caught:
        data_files(source(url))
    assert str(caught.value) == f"dataset 'data': '{url}' needs a package: pip install 'judgeray[{extra}]'"


def test_unknown_protocol() -> None:
    """An unknown protocol is refused, naming the path."""
    with pytest.raises(BadInputError, match=r"cannot open 'nope://x/y': .*nope"):
        data_files(source("nope://x/y"))
