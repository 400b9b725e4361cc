"""The soft label: how likely a model found 1 against 0 at the place where it wrote one of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

from judgeray.core.reply import Reply, TokenLogprob

_NO_WORD = re.compile(r"[\W_]+")
_LARGEST_EXPONENT = 700.0


def soft_label(reply: Reply, key: str, stated: str) -> float | None:
    """Give p(1) / (p(0) + p(1)) at the token that states the label under `key` (study 3, section 4).

    `stated` is the digit, 0 or 1, that the text was read to state. The place is where the reply's tokens, joined,
    hold the key, at most 20 characters that are no word, and that digit. The digit's token may hold more that is no
    word (` 1`, `"1"`, `:1`, `1}`), and so may the other likely tokens at the place; the probabilities of all that
    say the same digit add up. A digit that is not among the likely tokens counts as 0.

    None where the provider gave no log-probabilities or no alternatives, where neither digit is among these, and
    where the place cannot be told: there are two such, or none, or the digit's token holds a further word.
    """
    place = _place(reply.token_logprobs or (), key, stated)
    if place is None or not place.top:
        return None
    if not any(_says(token, digit) for token, _ in place.top for digit in "01"):
        return None
    likely = {**dict(place.top), place.token: place.logprob}  # what was written may be missing among the likeliest
    ones, zeros = (_logsum(number for token, number in likely.items() if _says(token, digit)) for digit in "10")
    return 1 / (1 + math.exp(min(zeros - ones, _LARGEST_EXPONENT)))


def _place(tokens: Sequence[TokenLogprob], key: str, stated: str) -> TokenLogprob | None:
    text = "".join(token.token for token in tokens)
    places = [found.start(1) for found in _statement(key).finditer(text) if found[1] == stated]
    if len(places) != 1:
        return None
    ends = accumulate(len(token.token) for token in tokens)
    token = next(token for token, end in zip(tokens, ends, strict=True) if places[0] < end)
    return token if _says(token.token, stated) else None


@lru_cache(maxsize=8)
def _statement(key: str) -> re.Pattern[str]:
    # Not the first of several digits that the answer format offers: 0/1, 0|1.
    return re.compile(rf"(?<!\w){re.escape(key)}\W{{1,20}}([01])(?![\w/|]|\.\d)", re.IGNORECASE)


def _says(token: str, digit: str) -> bool:
    return _NO_WORD.sub("", token) == digit


def _logsum(numbers: Iterable[float]) -> float:
    """Logarithm of a sum of probabilities that are given by their logarithms; minus infinity for none."""
    known = list(numbers)
    most = max(known, default=-math.inf)
    return most + math.log(sum(math.exp(number - most) for number in known)) if known else most
