"""Faults, decided: which prompt, request or batch meets which fault, and how often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from typing import NamedTuple, cast, get_args

from judgeray.emulator.draws import uniform
from judgeray.emulator.fault_names import (
    ALL_FAULTS,
    BATCH_FAULTS,
    DOWNLOAD_FAULTS,
    FaultName,
    Place,
    places,
    usual_times,
)
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.settings import ApiName

_MARKER = re.compile(r"\[\[fault:(\w+)(?:\*([1-9]\d*))?\]\]")
_MARKER_START = "[[fault:"


class Mark(NamedTuple):
    """A fault that a prompt asks for; `times` None is always."""

    fault: FaultName
    times: int | None


class FaultBook:
    """The faults of one server, and who has met them; used from its event loop only.

    `note` is told the name of each fault that is met.
    """

    def __init__(self, settings: Faults, note: Callable[[str], None]) -> None:
        self.settings = settings
        self._note = note
        self.quiet = not settings.rules and not settings.markers
        self._rules = {
            (api, place): [rule for rule in settings.rules if rule.applies(api, place)]
            for api in get_args(ApiName)
            for place in get_args(Place)
        }
        self._met: Counter[tuple[str, str]] = Counter()
        self._requests = count()

    def of_prompt(self, api: str, place: Place, prompt: Prompt) -> FaultName | None:
        """The fault that this arrival of a prompt meets; a wrong marker is refused with 400."""
        if self.quiet:
            return None
        mark = self.mark(prompt)
        if mark is None:
            draw = uniform("fault", str(self.settings.seed), place, prompt.digest)
            rule = _drawn(self._rules[cast("ApiName", api), place], draw)
            mark = Mark(rule.fault, rule.arrivals()) if rule else None
        if mark is None or place not in places(mark.fault) or not self._meets(mark, (prompt.digest,)):
            return None
        return mark.fault

    def of_request(self, api: str, place: Place) -> FaultName | None:
        """The fault that a request to a route without prompts meets."""
        rules = self._rules[cast("ApiName", api), place]
        if not rules:
            return None
        draw = uniform("fault", str(self.settings.seed), api, place, str(next(self._requests)))
        rule = _drawn(rules, draw)
        if rule is None or not self._meets(Mark(rule.fault, rule.requests()), (f"{api} {place}",)):
            return None
        return rule.fault

    def of_batch(self, api: str, digests: Sequence[str], marks: Collection[Mark]) -> dict[FaultName, int | None]:
        """The faults that a batch of these prompts meets; values are downloads that meet it, None for all.

        Its lowest digest decides, whatever the order of rows. A batch that holds a row which has met the fault as
        often as it should passes, so that resubmitting any part of a batch gets on.
        """
        found = {mark for mark in marks if mark.fault in BATCH_FAULTS}
        leader = min(digests, default="")
        for rule in self._rules[cast("ApiName", api), "batch"]:
            if uniform("fault", str(self.settings.seed), rule.fault, leader) < rule.probability:
                found.add(Mark(rule.fault, rule.arrivals()))
        return {
            mark.fault: mark.times for mark in found if mark.fault in DOWNLOAD_FAULTS or self._meets(mark, digests)
        }

    def mark(self, prompt: Prompt) -> Mark | None:
        """The fault that a prompt's text asks for; one that does not exist is refused with 400."""
        if not self.settings.markers or _MARKER_START not in prompt.user:
            return None
        marker = _MARKER.search(prompt.user)
        if marker is None or marker[1] not in ALL_FAULTS:
            raise RequestRefusedError(400, f"Unknown fault in a marker; known are {', '.join(sorted(ALL_FAULTS))}.")
        times = int(marker[2]) if marker[2] else usual_times(marker[1])
        return Mark(cast("FaultName", marker[1]), times)

    def _meets(self, mark: Mark, names: Iterable[str]) -> bool:
        """Count an arrival under each name, unless one of them has met the fault often enough."""
        keys = {(mark.fault, name) for name in names}
        if mark.times is not None:
            if any(self._met[key] >= mark.times for key in keys):
                return False
            self._met.update(keys)
        self._note(mark.fault)
        return True


def _drawn(rules: Iterable[FaultRule], draw: float) -> FaultRule | None:
    for rule in rules:
        if draw < rule.probability:
            return rule
        draw -= rule.probability
    return None
