"""Laws of NLI accounts: no key, no batches, nothing loaded before it is used, and judges that are checked."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.manifest.model import JudgeSpec, ProviderSpec
from judgeray.providers import nli_model
from judgeray.providers.account import IN_PROCESS, KINDS, Account
from judgeray.providers.connect import connect, connect_batch
from judgeray.providers.keys import SIMULATED_KEY, read_key
from judgeray.run.accounts import account, judge
from tests.providers.nli_checkpoint import ACCOUNT


def test_a_missing_extra_is_said_when_the_client_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional packages no actor starts, and the message says what to install."""
    monkeypatch.setattr(nli_model, "EXTRA", "judgeray_has_no_such_module")
    with pytest.raises(BadInputError, match=r"provider mine: kind nli needs .* pip install 'judgeray\[nli\]'"):
        connect(Account("mine", "nli"))


def test_no_model_library_is_loaded_before_it_is_used() -> None:
    """Neither the client's module nor the metrics load PyTorch; a run without NLI never does."""
    code = (
        "import sys, judgeray.providers.nli, judgeray.metrics.registry; "
        "print([name for name in ('torch', 'transformers', 'sentence_transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_an_nli_account_is_in_process() -> None:
    """It needs no key, has no batches, and its judges are never simulated."""
    assert "nli" in KINDS
    assert "nli" in IN_PROCESS
    assert read_key(ACCOUNT) == SIMULATED_KEY
    with pytest.raises(BadInputError, match="computed here, not sent in batches"):
        connect_batch(ACCOUNT)
    built = judge("m.yaml", "small", JudgeSpec(provider="nli", model="cross-encoder/x"), ACCOUNT, "0123")
    assert built == Judge("small", "nli", "cross-encoder/x", {}, in_process=True, simulated=None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"provider": "nli"}, r"judges\.small\.model: is missing"),
        ({"provider": "nli", "model": "m", "temperature": 0.0}, "parameter unknown to nli: found 'temperature'"),
    ],
)
def test_nli_judges_are_checked(given: dict[str, Any], message: str) -> None:
    """A judge names its checkpoint, and takes no parameters."""
    with pytest.raises(BadInputError, match=message):
        judge("m.yaml", "small", JudgeSpec(**given), ACCOUNT, None)


def test_gpus_are_asked_for_by_the_account() -> None:
    """What each actor asks Ray for stands in the manifest's provider, and nothing unless it is said."""
    assert account("m.yaml", "nli", ProviderSpec(gpus_per_actor=0.5)).gpus_per_actor == 0.5
    assert account("m.yaml", "nli", ProviderSpec()).gpus_per_actor == 0.0
