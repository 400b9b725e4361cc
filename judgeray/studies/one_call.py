"""What arms share that make one call an item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judgeray.core.call import Call, Judge
from judgeray.core.replay import State
from judgeray.core.reply import Reply


class OneCall:
    """One judge is asked, once an item: all replies are the arm's own, and none follows."""

    judge: Judge

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Who is asked."""
        return (self.judge,)

    def own(self, state: State[Any]) -> Sequence[Reply]:
        """All replies are the arm's own."""
        return state.replies

    def follow_ups(self, _item: Any, _state: State[Any]) -> Iterable[Call]:  # noqa: ANN401 -- items are the arm's own
        """One call is all there is."""
        return ()
