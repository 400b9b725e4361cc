"""Laws of merging ledgers: the first reply of a call wins, each stands once, and a crash changes neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply
from judgeray.engine import ledger_merge
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.ledger import Ledger, ledger_files, write_part
from judgeray.engine.ledger_check import check_ledger
from judgeray.engine.ledger_merge import overlaps, stage, take

MakeReply = Callable[..., Reply]
MakeCall = Callable[[str], Call]
CALLS = 12

Kept = list[tuple[int, int]]
"""Replies as (number of the call, hour at which it came); the text says both."""

kept = st.lists(st.tuples(st.integers(0, CALLS - 1), st.integers(0, 5)), max_size=20)


@pytest.fixture
def other(tmp_path: Path) -> RepliesFolder:
    """The folder whose replies are taken."""
    made = RepliesFolder(tmp_path / "other")
    made.make()
    return made


@pytest.fixture
def reply(make_call: MakeCall, make_reply: MakeReply) -> Callable[[int, int], Reply]:
    """A reply to a call with a number, which came at an hour; odd ones are another model's."""

    def build(number: int, hour: int) -> Reply:
        call = replace(make_call(str(number)), model=("gpt-4.1", "org/model b")[number % 2])
        return make_reply(call, f"{number} at {hour}", f"2026-01-01T{hour:02d}:00:00.000+00:00")

    return build


def fill(folder: RepliesFolder, replies: Sequence[Reply], files: int = 3) -> None:
    """Keep replies in several files of the ledger; a key may stand in each of them, there with its first reply."""
    replies = sorted(replies, key=lambda one: one.received_at, reverse=True)
    for number in range(files):
        for model in ("gpt-4.1", "org/model b"):
            mine = {one.key: one for one in replies[number::files] if one.model == model}
            if mine:
                write_part(folder.partition("openai", model), mine)


def empty(folder: RepliesFolder) -> None:
    """Forget all replies."""
    for path in folder.ledger.rglob("*.parquet"):
        path.unlink()


def merged(mine: RepliesFolder, theirs: RepliesFolder) -> None:
    """Take all replies of a ledger in."""
    for overlap in overlaps(mine, [theirs]):
        take(overlap)


def texts(folder: RepliesFolder, calls: Sequence[Call]) -> dict[str, str | None]:
    """What each call finds."""
    return {key: found.text for key, found in Ledger(folder).lookup(calls).items()}


def first(replies: Sequence[Reply]) -> dict[str, str]:
    """When the first reply of each key came."""
    return {key: min(one.received_at for one in replies if one.key == key) for key in {r.key for r in replies}}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(a=kept, b=kept)
def test_the_first_reply_wins_and_each_stands_once(
    a: Kept, b: Kept, folder: RepliesFolder, other: RepliesFolder, reply: Callable[[int, int], Reply]
) -> None:
    """Whatever both hold, in whatever files: afterwards every call finds the reply that came first of all."""
    empty(folder)
    empty(other)
    own, their = list({one[0]: reply(*one) for one in a}.values()), [reply(*one) for one in b]
    fill(folder, own)
    fill(other, their)
    before = {path: path.read_bytes() for path in other.path.rglob("*") if path.is_file()}
    merged(folder, other)
    found = check_ledger(folder)
    assert (found.repeated, found.wrong) == (0, 0)
    calls = [Call(one.provider, one.model, "You judge.", one.text.split()[0]) for one in own + their if one.text]
    came = {key: one.received_at for key, one in Ledger(folder).lookup(calls).items()}
    assert came == first(own + their)
    assert {path: path.read_bytes() for path in other.path.rglob("*") if path.is_file()} == before


def test_equal_replies_are_no_conflict(
    folder: RepliesFolder, other: RepliesFolder, reply: Callable[[int, int], Reply]
) -> None:
    """A reply that says the same at the same cost is no other reply, whenever and under whatever number it came."""
    fill(folder, [reply(0, 1), reply(2, 1), reply(4, 1)])
    again = replace(
        reply(0, 1), received_at="2026-01-02", response_id="r", raw="{}", latency_seconds=3.0, attempts=2
    )
    dearer = replace(reply(4, 1), usage=replace(reply(4, 1).usage, output_tokens=99))
    fill(other, [again, replace(reply(2, 1), text="other"), dearer, reply(6, 1)])
    found = list(overlaps(folder, [other]))
    conflicts = {key for overlap in found for key in overlap.conflicts["key"]}
    assert conflicts == {reply(2, 1).key, reply(4, 1).key}
    assert sum(overlap.fresh.height for overlap in found) == 1


def test_journals_and_ledger_of_one_run_are_one(
    folder: RepliesFolder, other: RepliesFolder, reply: Callable[[int, int], Reply], tmp_path: Path
) -> None:
    """Replies that were never compacted count too, and one that stands in both of a run's places is one."""
    fill(other, [reply(0, 1), reply(1, 1)])
    writer = JournalWriter(other.journal, "actor")
    for one in (reply(1, 1), reply(2, 1)):
        writer.append(one)
    writer.close()
    staged = RepliesFolder(tmp_path / "staged")
    stage(other, staged)
    found = list(overlaps(folder, [other, staged]))
    assert sorted(key for overlap in found for key in overlap.fresh["key"]) == sorted(
        reply(number, 1).key for number in range(3)
    )
    assert len(list(other.journal.iterdir())) == 2


@pytest.mark.parametrize("step", range(1, 5))
def test_a_crash_between_loses_nothing(
    step: int,
    folder: RepliesFolder,
    other: RepliesFolder,
    reply: Callable[[int, int], Reply],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Broken off before any of its writes, a merge that is run again ends as one that was not."""
    own, their = [reply(number, 3) for number in range(8)], [reply(number, number) for number in range(4, 12)]
    fill(folder, own)
    fill(other, their)
    writes = iter(range(1, 100))

    def dying(write: Callable[..., object]) -> Callable[..., object]:
        def dies(*given: object) -> object:
            if next(writes) == step:
                raise KeyboardInterrupt
            return write(*given)

        return dies

    with monkeypatch.context() as patch:
        patch.setattr(ledger_merge, "_write", dying(ledger_merge._write))
        with pytest.raises(KeyboardInterrupt):
            merged(folder, other)
    assert check_ledger(folder).repeated == 0
    merged(folder, other)
    calls = [Call("openai", one.model, "You judge.", (one.text or "").split()[0]) for one in own + their]
    assert texts(folder, calls) == {
        reply(number, hour).key: f"{number} at {hour}"
        for number in range(12)
        for hour in [min(3, number) if 4 <= number < 8 else 3 if number < 4 else number]
    }
    found = check_ledger(folder)
    assert (found.replies, found.repeated, found.wrong) == (12, 0, 0)


def test_who_has_looked_before_finds_what_was_put_in_place(
    folder: RepliesFolder, other: RepliesFolder, reply: Callable[[int, int], Reply]
) -> None:
    """Files never change under their name, so that a ledger which remembers where replies stood is not misled."""
    fill(folder, [reply(number, 3) for number in range(0, 8, 2)], files=1)
    fill(other, [reply(2, 1), reply(6, 1)])
    ledger = Ledger(folder)
    calls = [Call("openai", "gpt-4.1", "You judge.", str(number)) for number in range(0, 8, 2)]
    assert {found.text for found in ledger.lookup(calls).values()} == {
        f"{number} at 3" for number in range(0, 8, 2)
    }
    before = ledger.files("openai", "gpt-4.1")
    merged(folder, other)
    assert {found.text for found in ledger.lookup(calls).values()} == {"0 at 3", "2 at 1", "4 at 3", "6 at 1"}
    assert set(before).isdisjoint(ledger.files("openai", "gpt-4.1"))


def test_a_file_that_cannot_be_read_is_one_message(
    folder: RepliesFolder, other: RepliesFolder, reply: Callable[[int, int], Reply]
) -> None:
    """A torn file of the other run is named by its partition, before anything is taken in."""
    fill(other, [reply(0, 1)], files=1)
    (path,) = ledger_files(other.ledger_files.here(other.partition("openai", "gpt-4.1")))
    path.write_bytes(b"PAR1")
    with pytest.raises(BadInputError, match=r"provider=openai/model=gpt-4\.1: a file of replies cannot be read"):
        merged(folder, other)
    assert list(folder.ledger.rglob("*.parquet")) == []
