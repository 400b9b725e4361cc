"""What is written down about one batch: enough to find it again after any crash, and never to send it twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal

import pyarrow as pa

from judgeray.core.call import Call
from judgeray.providers.batch import BatchLine, custom_ids
from judgeray.storage.files import listed, make_folder, read_each, read_table, read_whole, write_table, write_whole
from judgeray.storage.place import Place

Step = Literal["intent", "sending", "created", "ended", "harvested", "refused", "stuck", "mismatch"]
"""intent: written down, nothing sent. sending: a create may have reached the provider. created: the provider's id
is known. ended: the provider is done with it. The others are final here: harvested, refused as a whole, not ended
by its deadline, or with results that cannot be matched."""

OPEN: tuple[Step, ...] = ("intent", "sending", "created", "ended")
SCHEMA = pa.schema([("custom_id", pa.string()), ("key", pa.string()), ("call", pa.binary())])


@dataclass(frozen=True)
class BatchRecord:
    """One batch of one provider account. Times are ISO 8601 in UTC; `problem` is the provider's own words.

    `adopted` says that the batch was found in the provider's list after its create was lost, `rejected` holds
    batches that looked like it and were not. `unfinished` calls were not executed and are bought again.
    """

    tag: str
    provider: str
    calls: int
    step: Step = "intent"
    uploaded_id: str | None = None
    batch_id: str | None = None
    state: str | None = None
    written_at: str = ""
    sending_at: str | None = None
    created_at: str | None = None
    problem: str | None = None
    tries: int = 0
    adopted: bool = False
    rejected: tuple[str, ...] = ()
    replies: int = 0
    failures: int = 0
    unfinished: int = 0


class BatchRecords:
    """The records in one folder: `TAG.json`, and the calls of each in `TAG.parquet`. `saved` is told of each."""

    def __init__(self, folder: Place, saved: Callable[[BatchRecord], None] | None = None) -> None:
        self._folder, self._saved = folder, saved

    def begin(self, provider: str, calls: list[Call]) -> BatchRecord:
        """Write down the intent to send these calls as one batch: calls first, then the record that names them.

        The tag is a digest of the call keys and the number of the attempt at just these calls.
        """
        make_folder(self._folder)
        digest = sha256("".join(sorted(call.key for call in calls)).encode("ascii")).hexdigest()[:12]
        before = [path for path in listed(self._folder, ".json") if path.name.startswith(f"jr{digest}a")]
        tag = f"jr{digest}a{len(before) + 1}"
        columns = {
            "custom_id": custom_ids(tag, len(calls)),
            "key": [call.key for call in calls],
            "call": [call.to_json().encode("ascii") for call in calls],
        }
        write_table(self._calls_file(tag), pa.table(columns, schema=SCHEMA))
        return self.save(BatchRecord(tag, provider, len(calls), written_at=now()))

    def save(self, record: BatchRecord) -> BatchRecord:
        """Replace the record on storage, whole or not at all."""
        text = json.dumps(asdict(record), indent=2) + "\n"
        write_whole(self._folder / f"{record.tag}.json", text.encode("ascii"))
        if self._saved is not None:
            self._saved(record)
        return record

    def change(self, record: BatchRecord, **changes: object) -> BatchRecord:
        """Save a record with some fields changed."""
        return self.save(replace(record, **changes))  # type: ignore[arg-type]

    def load(self, tag: str) -> BatchRecord:
        """Read one record."""
        return _record(read_whole(self._folder / f"{tag}.json"))

    def all(self) -> list[BatchRecord]:
        """All records, oldest first."""
        records = (_record(data) for _, data in read_each(listed(self._folder, ".json")))
        return sorted(records, key=lambda record: (record.written_at, record.tag))

    def open(self) -> list[BatchRecord]:
        """The records that something is still to be done with."""
        return [record for record in self.all() if record.step in OPEN]

    def lines(self, record: BatchRecord) -> list[BatchLine]:
        """The calls of a batch with their custom ids."""
        table = read_table(self._calls_file(record.tag), schema=SCHEMA)
        pairs = zip(table["custom_id"].to_pylist(), table["call"].to_pylist(), strict=True)
        return [BatchLine(custom_id, Call.from_json(text)) for custom_id, text in pairs]

    def keys(self, records: Iterable[BatchRecord]) -> Iterator[str]:
        """Call keys of some records."""
        for record in records:
            yield from read_table(self._calls_file(record.tag), columns=["key"])["key"].to_pylist()

    def _calls_file(self, tag: str) -> Place:
        return self._folder / f"{tag}.parquet"


def _record(data: bytes) -> BatchRecord:
    fields = json.loads(data)
    return BatchRecord(**{**fields, "rejected": tuple(fields["rejected"])})


def now() -> str:
    """The time as records keep it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
