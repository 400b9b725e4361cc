"""What a run was made of, as tables: data, prompts, judges, packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judgeray.report.page.grids import Cell, Column, Grid, Line
from judgeray.report.text import visible


def provenance_grids(document: Mapping[str, Any]) -> list[Grid]:
    """Lay out provenance.json; parts that it lacks are left out."""
    datasets = (
        (name, found.get("path"), found.get("rows"), found.get("questions"), file, digest)
        for name, found in _part(document, "datasets")
        for file, digest in found.get("sha256", {}).items()
    )
    designs = (
        (name, found.get("version"), found.get("source"), found.get("sha256"))
        for name, found in _part(document, "designs")
    )
    served = document.get("served_models", {})
    judges = (
        (
            name,
            found.get("provider"),
            found.get("model"),
            ", ".join(served.get(found.get("model"), [])) or "not told",
            _parameters(found.get("parameters", {})),
        )
        for name, found in _part(document, "judges")
    )
    packages = [*document.get("packages", {}).items(), ("Python", document.get("python"))]
    return [
        _grid("data", "Data files", ("dataset", "path", "rows", "questions", "file", "SHA-256"), datasets),
        _grid("prompts", "Prompts", ("design", "version", "source", "SHA-256"), designs),
        _grid("judges", "Judges", ("judge", "provider", "model", "served as", "parameters"), judges),
        _grid("packages", "Packages", ("package", "version"), packages),
    ]


def _part(document: Mapping[str, Any], name: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    part = document.get(name, {})
    return [(key, part[key]) for key in sorted(part) if isinstance(part[key], Mapping)]


def _parameters(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(parameters.items())) or "none set"


def _grid(name: str, title: str, header: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Grid:
    lines = tuple(Line(tuple(Cell("—" if value is None else visible(str(value))) for value in row)) for row in rows)
    return Grid(name, title, tuple(Column(text, text) for text in header), lines)
