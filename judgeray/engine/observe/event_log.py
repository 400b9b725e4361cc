"""Structured logs: one JSON object a line. Never a text, a prompt, a reply, a key or a header."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from judgeray.engine.observe.cap import Cap
from judgeray.engine.observe.lines import Lines

Fact = str | int | float | bool | None | Mapping[str, int] | Mapping[str, float]

MOST_CHARACTERS = 500
"""Of any one string: provider's words that quote a whole page are cut."""


class EventLog:
    """Writes events with their facts; facts that are None are left out. Without `lines` it writes nothing."""

    def __init__(
        self,
        lines: Lines | None = None,
        context: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # In no tree of loggers: nobody else's handler, least of all one of Ray's, prints these lines.
        self._logger = logging.Logger("judgeray", logging.INFO if lines else logging.CRITICAL + 1)  # noqa: LOG001
        self._cap, self._lines = Cap(clock), lines
        self._logger.addFilter(self._cap)
        if lines is not None:
            handler = LineHandler(lines)
            handler.setFormatter(JsonFormatter(context or {}))
            self._logger.addHandler(handler)

    def info(self, event: str, **facts: Fact) -> None:
        """Something that belongs to a run that goes well."""
        self._logger.info(event, extra={"facts": facts})

    def warning(self, event: str, **facts: Fact) -> None:
        """Something that passes by itself."""
        self._logger.warning(event, extra={"facts": facts})

    def error(self, event: str, **facts: Fact) -> None:
        """Something that costs rows or needs a person."""
        self._logger.error(event, extra={"facts": facts})

    def tell_left_out(self) -> None:
        """Say how many lines of which events were left out since that was last said."""
        if self._cap.left_out:
            self.info("left_out", lines=dict(self._cap.left_out))
            self._cap.left_out.clear()

    def close(self) -> None:
        """Say what was left out, and let go of the file."""
        self.tell_left_out()
        if self._lines is not None:
            self._lines.close()


class JsonFormatter(logging.Formatter):
    """A record as JSON: `at` (ISO 8601 in UTC), `level`, `event`, what is the same in every line, and the facts."""

    def __init__(self, context: Mapping[str, str]) -> None:
        super().__init__()
        self._context = dict(context)

    def format(self, record: logging.LogRecord) -> str:
        """One line of ASCII without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Fact] = {
            "at": at,
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **self._context,
        }
        facts: Mapping[str, Fact] = getattr(record, "facts", {})
        line |= {name: _short(value) for name, value in facts.items() if value is not None}
        line |= {name: count for name in ("left_out", "lost") if (count := getattr(record, name, 0))}
        return json.dumps(line, separators=(",", ":"))


class LineHandler(logging.Handler):
    """Hands formatted records to `Lines`."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self._lines = lines
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line. A log that cannot be written stops no run: the next line says how many were lost."""
        record.lost = self._lost
        try:
            self._lines.write(self.format(record))
            self._lost = 0
        except OSError:
            self._lost += 1


def _short(value: Fact) -> Fact:
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}..."
    return round(value, 6) if isinstance(value, float) else value
