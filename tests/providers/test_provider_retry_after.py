"""How long to wait, from every spelling that a provider may use."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.providers.retry_after import CEILING_SECONDS, retry_after_seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7.0),
        ({"retry-after": "120ms"}, 0.12),
        ({"retry-after": "2m"}, 120.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "86400"}, CEILING_SECONDS),
        ({"retry-after": "9" * 500}, CEILING_SECONDS),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, CEILING_SECONDS),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_each_spelling_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds, durations and dates; nothing readable is nothing asked for."""
    assert retry_after_seconds(headers) == seconds


def test_a_date_is_counted_from_now() -> None:
    """An HTTP date means the time until then."""
    found = retry_after_seconds({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert found is not None
    assert 95 < found <= 101


def _body(*details: Any) -> dict[str, Any]:
    return {"error": {"code": 429, "details": list(details)}}


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (_body({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.074824224s"}), 34.074824224),
        (_body({"reason": "x"}, {"retryDelay": "0s"}), 0.0),
        (_body({"retryDelay": "37025s"}), CEILING_SECONDS),
        (_body({"retryDelay": 5}, "text", None), None),
        ({"error": "text"}, None),
        ([], None),
        (None, None),
    ],
)
def test_geminis_delay_is_read_from_the_body(body: Any, seconds: float | None) -> None:
    """Gemini sends no header but a RetryInfo; a header would win."""
    assert retry_after_seconds({}, body) == seconds
    assert retry_after_seconds({"retry-after": "1"}, body) == 1.0


_PIECES = st.sampled_from(
    ["Mon", ",", " ", "31", "Feb", "2026", "99:99:99", "-0000", "+9999", "1e9", "GMT", ":", "٣", "ms"]
)
_HEADER = (
    st.text(max_size=60) | st.lists(_PIECES, max_size=9).map("".join) | st.lists(_PIECES, max_size=9).map(" ".join)
)


@settings(max_examples=200, deadline=None)
@given(text=_HEADER, name=st.sampled_from(["retry-after", "Retry-After-Ms"]))
def test_no_header_raises(text: str, name: str) -> None:
    """Whatever a header says, the wait is unknown or within bounds."""
    for found in (retry_after_seconds({name: text}), retry_after_seconds({}, _body({"retryDelay": text}))):
        assert found is None or 0.0 <= found <= CEILING_SECONDS
