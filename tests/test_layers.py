"""The law of rooms: imports go down only, Ray is in one room, each SDK in another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    {"usage_columns"},
    {"core", "rows", "pairs", "questions", "scores", "sentence_verdicts", "summaries", "verdicts"},
    {"parsing", "samples", "spacy_models", "storage"},
    {"stats", "providers", "datasets", "conditions"},
    {"designs", "writers"},
    {"metrics"},
    {"emulator"},
    {"engine", "analysis"},
    {"report"},
    {"studies"},
    {"manifest"},
    {"run"},
    {"viewer"},
    {"cli"},
)
"""Rooms from the ground up: a room imports rooms of lower floors and, on its own floor, only itself."""

ONLY = {
    "ray": {"engine"},
    "openai": {"providers"},
    "anthropic": {"providers"},
    "google": {"providers"},
    "genai_prices": {"providers"},
    "inspect_ai": {"run"},
}


def floor(room: str) -> int:
    """The floor of a room."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def imports() -> Iterator[tuple[str, str, str]]:
    """Every import of the package: place, room, and module imported."""
    for path in sorted((ROOT / "judgeray").rglob("*.py")):
        parts = path.relative_to(ROOT / "judgeray").parts
        if parts == ("__init__.py",):
            continue
        room = parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            for module in modules:
                yield "/".join(parts), room, module


def test_imports_go_down_only() -> None:
    """No room reaches up, or sideways into another room of its floor: engine and studies never meet."""
    wrong = []
    for place, room, module in imports():
        if module.startswith("judgeray."):
            target = module.split(".")[1]
            if target != room and floor(target) >= floor(room):
                wrong.append(f"{place} imports {module}")
    assert wrong == []


def test_engine_and_studies_never_meet() -> None:
    """Studies say what is asked, the engine how it travels: neither knows the other, whatever floors allow."""
    rooms = {"studies", "engine"}
    met = [place for place, room, module in imports() for other in rooms - {room}
           if room in rooms and module.startswith(f"judgeray.{other}")]  # fmt: skip
    assert met == []


@pytest.mark.parametrize("package", sorted(ONLY))
def test_each_heavy_library_has_its_room(package: str) -> None:
    """Only the engine knows Ray; only providers know the SDKs."""
    places = [
        place for place, room, module in imports() if module.split(".")[0] == package and room not in ONLY[package]
    ]
    assert places == []


def test_every_room_has_a_floor() -> None:
    """A new room is put on a floor before it is used."""
    for _, room, _ in imports():
        floor(room)
