"""A desk: one checkpoint and those who wait for it, served in batches by one thread at a time."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from judgeray.providers.errors import ProviderError
from judgeray.providers.nli_model import Judged, NliModel, Pair


class _Waiting(NamedTuple):
    pair: Pair
    answer: asyncio.Future[Judged | str]


class Desk:
    """Loads a checkpoint in a thread at once, and judges all that waits when the thread is free."""

    def __init__(self, checkpoint: str, most_pairs: int) -> None:
        self.checkpoint, self._most_pairs = checkpoint, most_pairs
        self._model = asyncio.create_task(asyncio.to_thread(NliModel, checkpoint))
        self._waiting: list[_Waiting] = []
        self._work: asyncio.Task[None] | None = None

    async def loaded(self) -> None:
        """Wait until the checkpoint is there. Raises BadInputError where it cannot be used."""
        await asyncio.shield(self._model)

    @property
    def served_name(self) -> str:
        """Name of the loaded checkpoint, with its revision where the hub told one."""
        return self._model.result().served_name

    async def judge(self, pair: Pair) -> Judged | str:
        """Judge a pair with the next batch; a text says why it cannot be judged. Needs a loaded checkpoint."""
        answer: asyncio.Future[Judged | str] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(pair, answer))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._serve(self._model.result()))
        return await answer

    async def close(self) -> None:
        """Stop; a batch in its thread runs to its end and is dropped."""
        tasks: list[asyncio.Task[object]] = [task for task in (self._model, self._work) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, model: NliModel) -> None:
        while self._waiting:
            await asyncio.sleep(0)  # whoever asks in this turn of the loop joins the batch
            batch, self._waiting = self._waiting[: self._most_pairs], self._waiting[self._most_pairs :]
            pairs = [waiting.pair for waiting in batch]
            run = asyncio.create_task(asyncio.to_thread(model.judge, pairs, self._most_pairs))
            await asyncio.wait([run])
            _settle(batch, run)


def _settle(batch: list[_Waiting], run: asyncio.Task[list[Judged | str]]) -> None:
    """Give everyone who still waits their answer, or the failure of the batch: nobody is left waiting."""
    error = run.exception()
    if isinstance(error, RuntimeError):  # PyTorch's own, such as a GPU without memory left
        error = ProviderError("retry", f"nli: {' '.join(str(error).split())[:500]}", code="nli:runtime")
    answers = run.result() if error is None else [None] * len(batch)
    for (_, waiting), answer in zip(batch, answers, strict=True):
        if waiting.done():
            continue
        if answer is not None:
            waiting.set_result(answer)
        elif error is not None:
            waiting.set_exception(error)
