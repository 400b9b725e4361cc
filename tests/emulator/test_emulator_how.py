"""How a server serves comes from one file or one request, is checked as a whole, and changes no word of a reply."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgeray.core.errors import BadInputError
from judgeray.emulator.__main__ import main
from judgeray.emulator.batch_settings import Batches
from judgeray.emulator.behaviour import Behaviour
from judgeray.emulator.fault_settings import FaultRule, Faults
from judgeray.emulator.how import How, load_how
from judgeray.emulator.json_array import element_spans
from judgeray.emulator.process import start_emulator
from judgeray.emulator.rates import Limits, Rates
from judgeray.emulator.row_file import RowFile
from judgeray.emulator.times import rfc3339

RESPONSES = "/openai/v1/responses"
KEY = {"Authorization": "Bearer key"}
FULL = How(
    limits=Limits(openai={"m": Rates(requests_per_minute=7, burst_seconds=2)}),
    faults=Faults(seed=3, markers=True, rules=(FaultRule(fault="slow", routes=("poll", "list"), times="always"),)),
    batches=Batches(batch_seconds=9, gemini_running_batches=None, openai_enqueued_tokens={"default": 5}),
)
pytestmark = pytest.mark.timeout(60)


def test_settings_survive_their_file(tmp_path: Path) -> None:
    """A JSON file gives the settings it was written from, also where lists come from elsewhere than JSON."""
    file = tmp_path / "how.json"
    file.write_text(FULL.model_dump_json(), encoding="utf-8")
    assert load_how(file) == FULL
    assert How.model_validate(json.loads(FULL.model_dump_json())) == FULL
    assert How.model_validate_json("{}") == How()


def test_wrong_settings_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong file is refused with its name, the field and the value; the command line ends with code 2."""
    file = tmp_path / "how.json"
    file.write_text('{"batches": {"batch_seconds": -1}}', encoding="utf-8")
    with pytest.raises(BadInputError, match=r"how\.json: batches\.batch_seconds: found -1: "):
        load_how(file)
    assert main(["--how", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    with pytest.raises(BadInputError, match=r"none\.json: cannot be read"):
        load_how(tmp_path / "none.json")


def test_a_process_starts_with_its_settings_and_changes_them() -> None:
    """Settings reach the process, can be read back and replaced; the behaviour's digest stays."""
    with start_emulator(Behaviour(seed=5), how=FULL) as emulator:
        assert How.model_validate(emulator._admin("GET", "/_judgeray/how")) == FULL
        emulator.set_how(How())
        assert How.model_validate(emulator._admin("GET", "/_judgeray/how")) == How()
        assert emulator._admin("GET", "/_judgeray/behaviour") == {"digest": Behaviour(seed=5).digest()}
        assert (emulator.batches(), emulator.prompts()) == ([], {})


def test_new_settings_start_afresh(in_app: Any) -> None:
    """Replacing settings fills the limits again; wrong ones are a 400 with one line, and change nothing."""
    how = How(limits=Limits(openai={"m": Rates(requests_per_minute=1)}))

    async def steps(client: Any) -> Any:
        async def ask() -> int:
            async with client.post(RESPONSES, json={"model": "m", "input": "x"}, headers=KEY) as response:
                return int(response.status)

        async def adopt(body: str) -> tuple[int, Any]:
            async with client.post("/_judgeray/how", data=body) as response:
                return response.status, await response.json()

        first = [await ask(), await ask()]
        wrong = await adopt('{"limits": {"openai": {"m": {"requests_per_minute": "1"}}}}')
        second = [await ask(), (await adopt(how.model_dump_json()))[0], await ask(), await ask()]
        return first, wrong, second

    first, (status, body), second = in_app(steps, how)
    assert (first, status) == ([200, 429], 400)
    assert body["error"].startswith("limits.openai.m.requests_per_minute: found '1': ")
    assert second == [429, 200, 200, 429]


def test_limits_and_faults_change_no_word(in_app: Any) -> None:
    """What passes limits and faults says what it says without them."""

    async def steps(client: Any) -> list[Any]:
        found = []
        for i in range(30):
            async with client.post(RESPONSES, json={"model": "m", "input": f"{i}"}, headers=KEY) as response:
                body = await response.json()
                found.append(body["output"][0]["content"][0]["text"] if response.status == 200 else None)
        return found

    rules = (FaultRule(fault="server_error", probability=0.4),)
    limits = Limits(openai={"m": Rates(requests_per_minute=20)})
    plain, hindered = in_app(steps), in_app(steps, How(limits=limits, faults=Faults(rules=rules)))
    assert None in hindered
    assert all(said in (None, text) for said, text in zip(hindered, plain, strict=True))
    assert sum(said is not None for said in hindered) > 5


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(['"', "\\", "]}", "requests"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.dictionaries(st.text(max_size=9), JSON, max_size=4), max_size=6),
    st.dictionaries(st.text(max_size=9), JSON, max_size=3),
    st.booleans(),
)
def test_elements_are_found_without_parsing(
    tmp_path_factory: Any, elements: list[Any], others: dict[str, Any], ascii_only: bool
) -> None:
    """The spans found in any JSON are exactly its elements, and what is left is the JSON around them."""
    path = tmp_path_factory.mktemp("array") / "body.json"
    document = {**others, "requests": elements}
    text = json.dumps(document, ensure_ascii=ascii_only, indent=1 if ascii_only else None)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    rows = RowFile(path)
    for span in element_spans(path, "requests"):
        rows.add(span)
    found = [json.loads(rows.read(number).decode("utf-8", "surrogatepass")) for number in range(len(rows))]
    rest = json.loads(rows.rest(b"null").decode("utf-8", "surrogatepass"))
    rows.close()
    assert found == elements
    assert rest == {**others, "requests": [None] * len(elements)}


def test_times_are_rfc3339() -> None:
    """Times are in UTC and end in Z."""
    assert rfc3339(0.25) == "1970-01-01T00:00:00.250000Z"


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are kept in a folder of the emulator's own, which is gone after its end."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with start_emulator(Behaviour()) as emulator:
        body = b'{"requests": [{"custom_id": "a", "params": {}}]}'
        headers = {"x-api-key": "k", "anthropic-version": "2026-10-21"}
        connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=10)
        connection.request("POST", "/anthropic/v1/messages/batches", body, headers)
        assert connection.getresponse().status == 200
        connection.close()
        assert [path.name[:17] for path in tmp_path.iterdir()] == ["judgeray-emulator"]
    assert list(tmp_path.iterdir()) == []
