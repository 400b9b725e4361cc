"""A token bucket: it fills at a steady rate, and what is used is taken out of it."""

from __future__ import annotations

SECONDS_PER_MINUTE = 60.0


class Bucket:
    """What is left of one limit; times are in seconds of any clock that only goes forward.

    It holds `burst_seconds` worth of `per_minute`, at least 1, and starts full. A use larger than the bucket
    passes when it is full and leaves a debt, so that no prompt is too large for a bucket of short bursts.
    """

    def __init__(self, per_minute: float, burst_seconds: float, now: float) -> None:
        self.per_minute = per_minute
        self._rate = per_minute / SECONDS_PER_MINUTE
        self._capacity = max(1.0, self._rate * burst_seconds)
        self._level = self._capacity
        self._at = now

    def level(self, now: float) -> float:
        """What may be used now; negative while a debt is paid off."""
        if now > self._at:
            self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
            self._at = now
        return self._level

    def take(self, used: float, now: float) -> None:
        """Take out what was used, into debt where it is more than there is."""
        self._level = self.level(now) - used

    def wait_seconds(self, wanted: float, now: float) -> float:
        """Seconds until `wanted` may be used, 0 where it may be now."""
        return max(0.0, min(wanted, self._capacity) - self.level(now)) / self._rate

    def full_seconds(self, now: float) -> float:
        """Seconds until the bucket is full again."""
        return (self._capacity - self.level(now)) / self._rate
