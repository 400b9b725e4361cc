"""Laws of reading a manifest: every mistake is one clear line, and nothing secret is repeated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from judgeray.core.errors import BadInputError
from judgeray.manifest.model import Manifest
from judgeray.manifest.read import read_manifest

ROOT = Path(__file__).parents[2]
GOOD = """
name: good
datasets:
  qa: {path: "sample:asqa", layout: asqa}
judges:
  gpt: {provider: openai, model: gpt-4.1, temperature: 0, max_output_tokens: 256}
grid:
  - {designs: [C, H], judges: [gpt]}
providers:
  openai: {concurrency: 8, limits: {requests_per_minute: 60}}
"""
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a manifest file."""

    def build(text: str) -> Path:
        path = tmp_path / "m.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return build


def message(path: Path) -> str:
    """What a user reads about a bad manifest."""
    with pytest.raises(BadInputError) as caught:
        read_manifest(path)
    return str(caught.value)


def test_good_manifest_is_read(write: Write) -> None:
    """What is set is there, what is not has its documented default."""
    manifest = read_manifest(write(GOOD))
    assert manifest.judges["gpt"].temperature == 0
    assert manifest.judges["gpt"].top_p is None
    assert manifest.conditions == ["full"]
    assert manifest.providers["openai"].limits.requests_per_minute == 60
    assert manifest.providers["openai"].timeout_seconds == 180


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("grid:", "gird:", "manifest: unknown key: found 'gird', allowed: "),
        ("grid:", "gird:", "Did you mean 'grid'?"),
        ("concurrency: 8", "concurency: 8", "providers.openai: unknown key: found 'concurency', allowed: actors"),
        ("requests_per_minute", "rpm", "providers.openai.limits: unknown key: found 'rpm', allowed: input_tokens"),
        ("temperature: 0", "temperature: hot", "judges.gpt.temperature: found 'hot'"),
        ("temperature: 0", "temperature: 3", "judges.gpt.temperature: found 3"),
        ("max_output_tokens: 256", "max_output_tokens: 0", "judges.gpt.max_output_tokens: found 0"),
        ("designs: [C, H]", "designs: []", "grid.0.designs: found []"),
        ("designs: [C, H]", "designs: C", "grid.0.designs: found 'C'"),
        ("name: good", "name: [a]", "name: found ['a']"),
        ("name: good", "name: ../up", "name: found '../up'"),
        ("name: good\n", "", "name: is missing"),
        ("  qa:", "  1:", "datasets.1"),
        ("concurrency: 8", "mode: overnight", "providers.openai.mode: found 'overnight', allowed: "),
        ("concurrency: 8", "kind: opnai", "providers.openai.kind: found 'opnai', allowed: "),
        ("concurrency: 8", "kind: opnai", "Did you mean 'openai'?"),
        ("  qa: {", "  qa: {}\n  qa: {", 'found duplicate key "qa"'),
        ("name: good", "name: 'good", "not YAML"),
    ],
)
def test_each_mistake_is_named(write: Write, old: str, new: str, expected: str) -> None:
    """The message names file, place, value found and values allowed, with a near name where there is one."""
    assert old in GOOD
    path = write(GOOD.replace(old, new))
    text = message(path)
    assert expected in text
    assert text.startswith(f"{path}: ")


def test_all_mistakes_are_said_at_once(write: Write) -> None:
    """Two mistakes are two lines, so that a user mends them together."""
    text = message(write(GOOD.replace("temperature: 0", "temperature: hot").replace("grid:", "gird:")))
    assert len(text.splitlines()) == 2  # the unknown key, the wrong type


def test_a_manifest_asks_for_something(write: Write) -> None:
    """Without grid and diagnostics there is nothing to judge, and the message says so."""
    text = message(write(GOOD[: GOOD.index("grid:")]))
    assert text.endswith("found neither grid nor diagnostics, perturbation or averaging: one says what to judge.")


def test_a_diagnostic_that_is_not_known_is_named(write: Write) -> None:
    """Diagnostics are checked like all else: place, value found, values allowed."""
    text = message(write(GOOD + "\ndiagnostics: {groundin: {}}\n"))
    assert "diagnostics: unknown key: found 'groundin', allowed: " in text
    assert "Did you mean 'grounding'?" in text


@pytest.mark.parametrize(
    "secret",
    [
        'api_key: "sk-proj-abcdefghijklmnop1234567890"',
        "api_key_env: sk-proj-abcdefghijklmnop1234567890",
        'base_url: "http://127.0.0.1/?key=AIzaSyA1234567890abcdefghijklmnopqrstuv"',
        "token: whatever-it-is",
    ],
)
def test_literal_keys_are_refused_and_not_repeated(write: Write, secret: str) -> None:
    """A key in a manifest is an error that says where keys belong, without showing the key."""
    text = message(write(GOOD.replace("concurrency: 8", secret)))
    assert "api_key_env" in text
    for part in ("abcdefghijklmnop", "AIzaSy", "whatever-it-is"):
        assert part not in text


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", "NoneType"), (b"- a\n", "list"), (b"\xff\xfe", "not UTF-8"), (b"a: &b [*b]", "alias")],
)
def test_files_that_are_no_manifest_are_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    """An empty file, a list, bytes: one line each."""
    path = tmp_path / "m.yaml"
    path.write_bytes(content)
    assert expected in message(path)


def test_missing_manifest_is_one_line(tmp_path: Path) -> None:
    """The path is named with the system's reason."""
    assert message(tmp_path / "none.yaml").endswith("cannot read the manifest: No such file or directory.")


def test_published_schema_is_the_models() -> None:
    """Editors check against the same rules as the command."""
    published = json.loads((ROOT / "manifests" / "manifest.schema.json").read_text(encoding="utf-8"))
    assert published == Manifest.model_json_schema()


@pytest.mark.parametrize("path", sorted((ROOT / "manifests").glob("*.yaml")), ids=lambda path: path.name)
def test_shipped_manifests_obey_the_schema(path: Path) -> None:
    """Every manifest in the repository is read, and is valid for an editor too."""
    read_manifest(path)
    schema = json.loads((ROOT / "manifests" / "manifest.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(YAML(typ="safe").load(path.read_text(encoding="utf-8")), schema)
