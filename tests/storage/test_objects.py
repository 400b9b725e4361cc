"""Laws of what is asked of an object store."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from upath import UPath

from judgeray.core.errors import BadInputError
from judgeray.storage import objects
from judgeray.storage.files import listed
from judgeray.storage.objects import (
    create,
    download_all,
    get,
    get_all,
    put,
    remove,
    sizes,
    tree,
    upload_all,
)
from judgeray.storage.place import place_of
from tests.object_store import ObjectStore


@pytest.fixture
def folder(store: ObjectStore) -> UPath:
    """A folder in S3."""
    place = store.place("run")
    assert isinstance(place, UPath)
    return place


def test_object_is_there_as_written(folder: UPath) -> None:
    """What was put is got back; the last put counts; what is not there is None."""
    for data in (b"", b"one", bytes(range(256)) * 1000):
        put(folder / "a%2Fb c.bin", data)
        assert get(folder / "a%2Fb c.bin") == data
    assert get(folder / "other") is None


def test_only_one_creates(folder: UPath) -> None:
    """Of two that create the same object, the second is told so and changes nothing."""
    assert create(folder / "lease", b"first")
    assert not create(folder / "lease", b"second")
    assert get(folder / "lease") == b"first"


def test_listing_sees_what_others_wrote(folder: UPath) -> None:
    """A listing is never a remembered one; folders of the folder are listed by `tree` alone."""
    assert sizes(folder) == {}
    put(folder / "a", b"1")
    assert sizes(folder) == {"a": 1}
    again = place_of(str(folder))
    assert isinstance(again, UPath)
    put(again / "inner" / "b", b"22")
    assert sizes(folder) == {"a": 1}
    assert tree(folder) == {"a": 1, "inner/b": 2}
    assert [path.name for path in listed(folder, "a")] == ["a"]


def test_many_are_read_in_order_and_removed(folder: UPath) -> None:
    """More objects than are asked for at once come back in order; removing twice is no error."""
    places = [folder / f"{n:03d}" for n in range(40)]
    for n, place in enumerate(places):
        put(place, str(n).encode())
    assert [data for _, data in get_all(places)] == [str(n).encode() for n in range(40)]
    remove(places)
    remove(places)
    assert sizes(folder) == {}


def test_files_go_there_and_back(folder: UPath, tmp_path: Path) -> None:
    """Files are copied byte by byte, into folders that are made; one that is gone is told of."""
    (tmp_path / "a").write_bytes(b"\x00\xff")
    upload_all([(tmp_path / "a", folder / "x" / "a")])
    download_all([(folder / "x" / "a", tmp_path / "y" / "b")])
    assert (tmp_path / "y" / "b").read_bytes() == b"\x00\xff"
    with pytest.raises(FileNotFoundError):
        download_all([(folder / "x" / "none", tmp_path / "c")])


def test_missing_bucket_is_said_in_the_storages_words(store: ObjectStore) -> None:
    """The message names the URL, says what the storage said, and what to check."""
    place = place_of("s3://no-such-bucket/run/file")
    assert isinstance(place, UPath)
    with pytest.raises(BadInputError, match=r"s3://no-such-bucket/run/file: cannot be written: .*does not exist"):
        put(place, b"x")


def test_dead_endpoint_ends_after_some_tries(folder: UPath, monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage that does not answer is tried a stated number of times, then said to be unreachable."""
    monkeypatch.setattr(objects, "FIRST_WAIT_SECONDS", 0.01)
    away = UPath(str(folder), endpoint_url="http://127.0.0.1:9", config_kwargs={"retries": {"max_attempts": 0}})
    with pytest.raises(BadInputError, match=r"cannot be written: .*127.0.0.1:9"):
        put(away / "a", b"x")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("s3://key:secret@bucket/run", "password or a query"),
        ("s3://bucket/run?sig=secret", "password or a query"),
        ("s3://bucket", "found no folder"),
        ("simplecache::s3://bucket/run", "chain"),
        ("nothing://bucket/run", "cannot be opened"),
        ("memory://bucket/run", "ends with its process"),
    ],
)
def test_bad_urls_are_refused_without_their_secrets(url: str, words: str) -> None:
    """A URL that cannot be a folder, or has credentials in it, is refused; credentials are not repeated."""
    with pytest.raises(BadInputError, match=words) as caught:
        place_of(url)
    assert "secret" not in str(caught.value)


def test_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheme whose package is not installed says how to get it."""
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(BadInputError, match=r"pip install 'judgeray\[gs\]'"):
        place_of("gs://bucket/run")


def test_local_places_are_plain_paths(tmp_path: Path) -> None:
    """A local path stays a pathlib path, whatever its spelling."""
    assert place_of(str(tmp_path)) == tmp_path
    assert place_of(f"file://{tmp_path}/a") == tmp_path / "a"
    assert isinstance(place_of("runs/x"), Path)
