"""From an account to a client, and what becomes of a client after its end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from judgeray.core.call import Call
from judgeray.core.errors import BadInputError
from judgeray.providers.account import Account
from judgeray.providers.connect import connect


def test_no_sdk_is_loaded_before_it_is_used() -> None:
    """Importing the seam loads none of the SDKs; a run with one provider loads one."""
    code = (
        "import sys, judgeray.providers.connect, judgeray.providers.taxonomy, judgeray.providers.prices; "
        "print([name for name in ('openai', 'anthropic', 'google.genai') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_an_account_without_a_key_opens_no_client(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user must mend is said when the client is opened, before any call."""
    monkeypatch.delenv("JUDGERAY_TEST_KEY")
    with pytest.raises(BadInputError, match="JUDGERAY_TEST_KEY"):
        connect(api.account("http://127.0.0.1:9"))


def test_the_lexical_judge_needs_neither_key_nor_server() -> None:
    """It stands behind the same seam, opens at once, and closes without having opened anything."""
    asyncio.run(connect(Account("overlap", "lexical")).close())


def test_a_closed_client_is_a_mistake_that_surfaces(api: Any, key: str) -> None:
    """Using a client after its end is no fault of the provider and is not asked again; closing twice is none."""

    async def use() -> None:
        client = connect(api.account("http://127.0.0.1:9"))
        await client.close()
        await client.close()
        await client.answer(Call(api.kind, "asked", None, "So?"))

    with pytest.raises(RuntimeError, match="closed") as caught:
        asyncio.run(use())
    assert key not in str(caught.value)
