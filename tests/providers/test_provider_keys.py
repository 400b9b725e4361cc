"""Where keys are read from, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.providers.account import Account
from judgeray.providers.keys import SIMULATED_KEY, hide_keys, read_key


def test_a_key_is_read_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The named variable wins over the API's usual one; blanks around a key are no part of it."""
    monkeypatch.setenv("OPENAI_API_KEY", "usual")
    monkeypatch.setenv("MINE", " mine\n")
    assert read_key(Account("a", "openai")) == "usual"
    assert read_key(Account("a", "openai", api_key_env="MINE")) == "mine"


def test_gemini_has_two_usual_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either name of a Gemini key is found."""
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", "second")
    assert read_key(Account("a", "google")) == "second"
    monkeypatch.setenv("GEMINI_API_KEY", "first")
    assert read_key(Account("a", "google")) == "first"


def test_a_key_is_read_from_a_file(tmp_path: Path) -> None:
    """A file holds nothing but the key."""
    file = tmp_path / "key"
    file.write_text("filed\n", encoding="utf-8")
    assert read_key(Account("a", "openai", api_key_file=str(file))) == "filed"


def test_an_emulated_account_reads_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real key never goes to an emulator."""
    monkeypatch.setenv("OPENAI_API_KEY", "real")
    assert read_key(Account("a", "openai", simulated=True)) == SIMULATED_KEY


def test_a_missing_key_says_where_to_put_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message names the account and every place that was looked at."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", " ")
    with pytest.raises(BadInputError, match=r"provider mine: .*ANTHROPIC_API_KEY.*api_key_env.*api_key_file"):
        read_key(Account("mine", "anthropic"))
    with pytest.raises(BadInputError, match=r"provider mine: api_key_file: cannot read .*nowhere"):
        read_key(Account("mine", "anthropic", api_key_file=str(tmp_path / "nowhere")))


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfesecret", "secret\u00e9".encode(), b"secret\nsecond line", b"se\x00cret"]
)
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    """What cannot travel in a header is refused at once, and not repeated."""
    file = tmp_path / "key"
    file.write_bytes(content)
    with pytest.raises(BadInputError, match="provider mine: api_key_file: ") as caught:
        read_key(Account("mine", "openai", api_key_file=str(file)))
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_hiding_leaves_all_else_alone() -> None:
    """Only keys are blanked, and the word that stands for a key where none is needed is a word."""
    text = "simulated risk-free AQ. sk-x asks mykey"
    assert hide_keys(text, SIMULATED_KEY) == text
    assert hide_keys("a mykey b sk-proj-****7890.", "mykey") == "a [key] b [key]"
