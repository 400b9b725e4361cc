"""The in-process NLI judge: pairs of premise and hypothesis, judged in batches by a local cross-encoder.

A call's user text is JSON with the texts `premise` and `hypothesis`, its model a checkpoint by name or path. The
reply's text is canonical JSON with the probabilities of `entailment`, `neutral` and `contradiction`, rounded to
six digits. Of a premise that was judged in several windows `raw` holds the probabilities of all of them. Nothing
is billed, and tokens are not counted.

Calls in flight form the batches: an account's `concurrency` bounds their size. Checkpoints are loaded on first use,
once per actor. An actor sees a GPU where its account asks Ray for one (`gpus_per_actor`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from types import MappingProxyType

from judgeray.core.call import Call
from judgeray.core.canonical import canonical_json
from judgeray.core.errors import BadInputError
from judgeray.core.reply import Reply, Usage
from judgeray.providers.account import Account
from judgeray.providers.errors import ProviderError
from judgeray.providers.nli_desk import Desk
from judgeray.providers.nli_model import Judged, Pair, require_extra

LOAD_SHARE = 0.9
"""Share of `timeout_seconds` after which loading is given up: before the attempt ends without saying why."""

_TEXTS = ("premise", "hypothesis")


class NliClient:
    """Answers the calls of one account, each checkpoint at a desk of its own."""

    seen_limits: Mapping[str, float] = MappingProxyType({})

    def __init__(self, account: Account) -> None:
        """Raise BadInputError where the optional packages are missing on this node."""
        require_extra(account.name)
        self._account = account
        self._desks: dict[str, Desk] = {}

    async def answer(self, call: Call) -> Reply:
        """Judge one pair. Raises ProviderError: for the account where the checkpoint cannot be used or the call is
        none of a metric's, for the row where its hypothesis is too long."""
        pair = _pair(call)
        desk = self._desks.get(call.model)
        if desk is None:
            desk = self._desks[call.model] = Desk(call.model, self._account.concurrency)
        await self._loaded(desk)
        judged = await desk.judge(pair)
        if isinstance(judged, str):
            raise ProviderError("row", f"nli: {judged}", code="nli:too_long", blames_row=True)
        return _reply(call, desk.served_name, judged)

    async def close(self) -> None:
        """Stop what works at the desks."""
        for desk in self._desks.values():
            await desk.close()

    async def _loaded(self, desk: Desk) -> None:
        seconds = LOAD_SHARE * self._account.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                await desk.loaded()
        except BadInputError as error:
            raise ProviderError("account", str(error), code="nli:checkpoint") from error
        except TimeoutError as error:
            raise ProviderError(
                "account",
                f"nli: checkpoint '{desk.checkpoint}': not loaded within {seconds:g} s; download it beforehand or "
                f"raise providers.{self._account.name}.timeout_seconds",
                code="nli:checkpoint",
            ) from error


def _pair(call: Call) -> Pair:
    try:
        record = json.loads(call.user)
    except ValueError:
        record = None
    given = [record.get(name) for name in _TEXTS] if isinstance(record, dict) else []
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) < len(_TEXTS):
        raise ProviderError(
            "account",
            f"nli: user: found '{call.user[:80]}', expected a JSON object with the texts {', '.join(_TEXTS)}: an "
            "NLI judge answers metrics that check claims, and no design",
            code="nli:call",
        )
    return Pair(*texts)


def _reply(call: Call, served_name: str, judged: Judged) -> Reply:
    return Reply(
        key=call.key,
        provider=call.provider,
        model=call.model,
        outcome="complete",
        text=canonical_json(judged.best),
        usage=Usage(),
        finish_reason="stop",
        served_model=served_name,
        raw=canonical_json({"windows": judged.windows}) if len(judged.windows) > 1 else "",
    )
