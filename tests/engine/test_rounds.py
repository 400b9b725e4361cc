"""Laws of the rounds: replay, buy, replay, without Ray."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow.parquet as pq
import pytest

from judgeray.core.call import Call
from judgeray.core.procedure import Procedure, ask
from judgeray.core.replay import NondeterministicProcedureError, Pending, Settled, State, Stuck
from judgeray.core.reply import Failure, Reply
from judgeray.core.task import Shard, Task
from judgeray.engine.journal import JournalWriter
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.rounds import FRUITLESS_ROUNDS, Progress, Rounds, Wanted

MakeReply = Callable[..., Reply]


def chain(row: int, length: int) -> Procedure[int]:
    """A procedure whose every call depends on the reply before it."""
    text = str(row)
    for _ in range(length):
        reply = yield from ask(Call("openai", "m", None, text))
        text = f"{text}-{reply.text}"
    return length


def chosen(tasks: Sequence[Task], places: Sequence[int] | None) -> Sequence[Task]:
    """The tasks at these places, or all."""
    return tasks if places is None else [tasks[place] for place in places]


class Bench:
    """Rounds over chains, answered in the test; counts every call that is bought."""

    def __init__(self, folder: RepliesFolder, make_reply: MakeReply, length: int = 1, rows: int = 6) -> None:
        self.folder, self.make_reply, self.length, self.rows = folder, make_reply, length, rows
        self.bought: list[str] = []
        self.waves: list[int] = []
        self.settled: dict[str, list[State[Any]]] = {}
        self.fails: set[str] = set()
        self.unsent: set[str] = set()
        self.stop = threading.Event()
        self.returned = 0

    def __iter__(self) -> Iterator[tuple[str, Shard]]:
        for start in range(0, self.rows, 2):
            tasks = [Task(f"row {n}", lambda n=n: chain(n, self.length)) for n in range(start, start + 2)]  # type: ignore[misc]
            yield f"s{start}", Shard(f"s{start}", lambda places, tasks=tasks: chosen(tasks, places))  # type: ignore[misc]

    def answer(self, wanted: Wanted) -> Progress:
        """Journal a reply (or a failure) for each spooled call."""
        writer = JournalWriter(self.folder.journal, f"actor{len(self.waves)}")
        calls = [
            Call.from_json(text)
            for file in wanted.files["openai"]
            for text in pq.read_table(file)["call"].to_pylist()
        ]
        answered = [call for call in calls if call.user not in self.unsent]
        for call in answered:
            self.bought.append(call.user)
            fails = call.user in self.fails
            writer.append(Failure(call.key, "openai", "no", 1) if fails else self.make_reply(call, "x"))
        writer.close()
        self.waves.append(len(calls))
        return Progress(len(answered), self.returned)

    def run(self, **options: Any) -> None:
        """Run all rounds."""
        Rounds(self.folder, self, self._settle, self.answer, self.stop, **options).run()

    def _settle(self, token: str, states: list[State[Any]]) -> None:
        assert token not in self.settled
        self.settled[token] = states

    def kinds(self) -> list[type]:
        """Kinds of all final states, in row order."""
        return [type(state) for token in sorted(self.settled) for state in self.settled[token]]


@pytest.fixture
def bench(folder: RepliesFolder, make_reply: MakeReply) -> Bench:
    """Six rows of one call."""
    return Bench(folder, make_reply)


def test_single_calls_take_one_wave(bench: Bench) -> None:
    """Everything wanted is bought once, and every shard is handed over settled."""
    bench.run()
    assert bench.waves == [6]
    assert bench.kinds() == [Settled] * 6


def test_chains_take_a_wave_per_step(bench: Bench) -> None:
    """A procedure of three rounds is bought in three waves."""
    bench.length = 3
    bench.run()
    assert bench.waves == [6, 6, 6]
    assert len(set(bench.bought)) == 18


def test_second_run_buys_nothing(bench: Bench, folder: RepliesFolder, make_reply: MakeReply) -> None:
    """What is known is never bought again."""
    bench.run()
    again = Bench(folder, make_reply)
    again.run()
    assert again.waves == []
    assert again.kinds() == [Settled] * 6


def test_window_bounds_what_one_wave_buys(bench: Bench) -> None:
    """A round plans no further shard once its window is full; later rounds take the rest."""
    bench.run(window_calls=2)
    assert bench.waves == [2, 2, 2]
    assert sorted(bench.bought) == sorted(str(n) for n in range(6))


def test_failed_call_is_not_bought_again_in_the_same_run(bench: Bench) -> None:
    """A row whose call failed ends undelivered; the others settle."""
    bench.fails = {"3"}
    bench.run()
    assert bench.bought.count("3") == 1
    assert bench.kinds() == [Settled] * 3 + [Stuck] + [Settled] * 2


def test_failed_call_is_asked_again_by_the_next_run(
    bench: Bench, folder: RepliesFolder, make_reply: MakeReply
) -> None:
    """A rerun continues with what was undelivered, and with that alone."""
    bench.fails = {"3"}
    bench.run()
    for path in folder.journal.glob("*.failures.jsonl"):
        path.unlink()
    again = Bench(folder, make_reply)
    again.run()
    assert again.bought == ["3"]


def test_no_progress_ends_the_run(bench: Bench) -> None:
    """Calls that nobody answers are not asked for ever: the run ends with them pending."""
    bench.unsent = {str(n) for n in range(6)}
    bench.run()
    assert bench.waves == [6]
    assert bench.kinds() == [Pending] * 6


def test_calls_that_batches_give_back_are_bought_again_but_not_for_ever(bench: Bench) -> None:
    """Unexecuted rows of a batch are wanted again in the next round; a provider that never executes is given up."""
    bench.unsent, bench.returned = {str(n) for n in range(6)}, 6
    bench.run()
    assert bench.waves == [6] * FRUITLESS_ROUNDS
    assert bench.kinds() == [Pending] * 6


def test_stopped_provider_is_left_alone(bench: Bench, folder: RepliesFolder) -> None:
    """Once a provider stopped, later rounds want nothing from it."""
    bench.unsent = {"0"}
    folder.stop_flag("openai").write_text("bad key")
    bench.run()
    assert bench.waves == [6]
    assert bench.kinds().count(Pending) == 1


def test_stop_leaves_the_rest_pending(bench: Bench) -> None:
    """A stopped run hands over every shard, settled or not."""
    bench.stop.set()
    bench.run()
    assert bench.waves == []
    assert bench.kinds() == [Pending] * 6


def test_procedure_that_changes_its_calls_is_named(folder: RepliesFolder, make_reply: MakeReply) -> None:
    """A random prompt is caught before it is bought twice."""

    def moody() -> Procedure[int]:
        yield from ask(Call("openai", "m", None, str(random.random())))
        return 1

    work = [("s", Shard("s", lambda _: [Task("asqa:7:full", moody)]))]
    bench = Bench(folder, make_reply)
    with pytest.raises(NondeterministicProcedureError, match="asqa:7:full"):
        Rounds(folder, work, bench._settle, bench.answer, bench.stop).run()
    assert bench.bought == []
