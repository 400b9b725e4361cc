"""What diagnostics make of logs: nothing of nothing, chapters of a plain log, and the same from the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from judgeray.analysis import analyze, read_log
from judgeray.analysis.write import csv_text
from judgeray.core.errors import BadInputError
from judgeray.report.chapter import Chapter
from judgeray.run.chapters import chapters_of, study_log
from judgeray.studies.diagnostics.diagnostic import StudyLog
from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from tests.studies.scripted import GPT, OPUS, manifest_of, scripted
from tests.studies.scripted_judges import data_rows, honest, write_rows

CONDITIONAL = {
    "grounding": "no_reference",
    "perturbations": "padding",
    "verbosity": "padding_true",
    "formats": "markdown",
    "second_reference": "second_reference",
}
EVERYTHING = (
    "prompt_variants: {max_output_tokens: 256}, schema_control: {}, output_caps: {}, grounding: {}, "
    "perturbations: {}, pairwise_order: {}, generated_answers: {generators: {opus: {}, gpt: {}}}, label_noise: {}, "
    "self_preference: {generators: {opus: {}, gpt: {}}}, test_retest: {}, canary: {waves: 2}, verbosity: {}, "
    "formats: {}, second_reference: {}"
)


def log_rows(*arms: Mapping[str, Any], questions: int = 6) -> list[dict[str, Any]]:
    """Rows of a log with the columns that are needed, two a question; H is right, all else says supported."""
    rows = []
    for arm, number, label in product(arms, range(questions), ("supported", "unsupported")):
        named = {"dataset": "d", "design": "H", "judge": "j"} | arm
        verdict = label if named["design"] == "H" else "supported"
        ids = {"question_id": f"q{number}", "row_id": f"q{number}:{label}", "label": label, "verdict": verdict}
        rows.append(ids | named)
    return rows


def csv_of(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Write a log."""
    path = folder / "log.csv"
    pl.DataFrame(rows, infer_schema_length=None).write_csv(path)
    return path


def found_in(source: Path, labels: Path | None = None) -> dict[str, Chapter]:
    """Chapters of a log by name, as the command makes them."""
    return {chapter.name: chapter for chapter in chapters_of(source, read_log(source), labels)}


@pytest.mark.parametrize("name", DIAGNOSTICS)
def test_a_log_that_has_nothing_of_it_has_no_chapter(tmp_path: Path, name: str) -> None:
    """Two designs judged once, with nothing changed: no diagnostic has anything to say."""
    source = csv_of(tmp_path, log_rows({}, {"design": "C"}))
    assert DIAGNOSTICS[name].chapter(study_log(source, read_log(source))) is None


@pytest.mark.parametrize(("name", "condition"), CONDITIONAL.items())
def test_a_plain_log_with_conditions_has_their_chapter(tmp_path: Path, name: str, condition: str) -> None:
    """No manifest is needed: the condition's name says which diagnostic it belongs to."""
    found = found_in(csv_of(tmp_path, log_rows({"condition": "full"}, {"condition": condition})))
    assert list(found) == [name]
    table = found[name].tables[name]
    assert table.select("condition", "rows", "flips").rows() == [(condition, 12, 0)]


@pytest.mark.parametrize("condition", CONDITIONAL.values())
def test_a_condition_without_its_base_has_no_chapter(tmp_path: Path, condition: str) -> None:
    """Without the unchanged rows there is nothing to compare with."""
    assert found_in(csv_of(tmp_path, log_rows({"condition": condition}))) == {}


PLAIN: dict[str, list[dict[str, Any]]] = {
    "output_caps": [{"condition": "cap_64"}, {"condition": "cap_512"}],
    "prompt_variants": [{"design": name} for name in ("H", "H.v2", "C", "C.v2")],
    "schema_control": [{"design": name} for name in ("H", "C", "S")],
    "test_retest": [{"replicate": 0}, {"replicate": 1}],
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_log_tells_by_its_arms(tmp_path: Path, name: str) -> None:
    """Caps, wordings, the control and replicates are recognised by what they are called."""
    assert list(found_in(csv_of(tmp_path, log_rows(*PLAIN[name])))) == [name]


def test_designs_that_begin_with_a_dot_are_no_wordings(tmp_path: Path) -> None:
    """What stands before the dot names a design; with nothing there, each name is a design of its own."""
    assert found_in(csv_of(tmp_path, log_rows({"design": ".x"}, {"design": ".y"}))) == {}


@pytest.mark.parametrize("odd", ["cap_99999999999999999999", "cap_007", "cap_N", "cap_"])
def test_names_that_are_no_caps_are_no_caps(tmp_path: Path, odd: str) -> None:
    """A log may hold any condition; one that only looks like a cap is none."""
    arms = [{"condition": name} for name in ("cap_64", "cap_512", odd)]
    table = found_in(csv_of(tmp_path, log_rows(*arms)))["output_caps"].tables["output_caps"]
    assert table["cap"].to_list() == [64, 512] or table["cap"].to_list() == [512, 64]


def test_caps_of_different_arms_are_no_comparison(tmp_path: Path) -> None:
    """One design under one cap, another under another: that compares nothing."""
    arms = [{"condition": "cap_64"}, {"condition": "cap_512", "design": "C"}]
    assert found_in(csv_of(tmp_path, log_rows(*arms))) == {}


def test_unchanged_arms_stay_out_of_a_conditions_chapter(tmp_path: Path) -> None:
    """An arm that no condition of the diagnostic was tried on is no line of its views."""
    arms = [{"condition": "full"}, {"condition": "padding"}, {"condition": "full", "design": "C"}]
    accuracies, flips, where = found_in(csv_of(tmp_path, log_rows(*arms)))["perturbations"].views
    assert [{row[2] for row in view.rows} for view in (accuracies, flips, where)] == [{"H"}] * 3


@pytest.mark.parametrize("other", ["markdown", "no_reference"])
def test_p_values_are_adjusted_within_a_chapter(tmp_path: Path, other: str) -> None:
    """What other diagnostics found in the same log changes no number of this one."""
    worse = [
        row | {"verdict": "unsupported", "condition": name} for row in log_rows({}) for name in ("padding", other)
    ]
    whole = log_rows({"condition": "full"}) + worse
    alone = [row for row in whole if row["condition"] in ("full", "padding")]
    (tmp_path / "a").mkdir()
    both, single = found_in(csv_of(tmp_path, whole)), found_in(csv_of(tmp_path / "a", alone))
    for name, table in single["perturbations"].tables.items():
        assert csv_text(both["perturbations"].tables[name]) == csv_text(table)


def test_labels_are_given_beside_a_log(tmp_path: Path) -> None:
    """A file of labels on the command line makes the chapter for a plain log, and is checked in full."""
    source, labels = csv_of(tmp_path, log_rows({}, {"design": "C"})), tmp_path / "labels.csv"
    labels.write_text("row_id,label\nq0:supported,supported\nq0:unsupported,supported\n")
    assert list(found_in(source, labels)) == ["label_standards"]
    labels.write_text("row_id,label\nq99:supported,supported\n")
    with pytest.raises(BadInputError, match="found 'q99:supported', allowed: ids of the log's rows"):
        found_in(source, labels)


def whole_study(folder: Path, answers: bool = True) -> StudyLog:
    """Every diagnostic in one run, answered rightly or not at all."""
    folder.mkdir(exist_ok=True)
    write_rows(folder, data_rows(4))
    manifest = manifest_of(EVERYTHING, f"{GPT}, {OPUS}")
    return scripted(folder, manifest, honest if answers else lambda call: None).log


def test_every_diagnostic_of_a_run_has_its_chapter(tmp_path: Path) -> None:
    """In the order of the registry, with all its tables under names that nothing else has."""
    log = whole_study(tmp_path)
    found = chapters_of(tmp_path / "run", log.verdicts)
    assert [chapter.name for chapter in found] == [name for name in DIAGNOSTICS if name != "label_standards"]
    tables = Counter([*analyze(log.verdicts), *(name for chapter in found for name in chapter.tables)])
    assert max(tables.values()) == 1
    assert all(chapter.name in chapter.tables for chapter in found)


def test_a_run_tells_models_families_and_what_was_asked(tmp_path: Path) -> None:
    """Names of judges and generators lead to models and families; a plain log knows neither."""
    log = whole_study(tmp_path)
    assert log.models == {"gpt": "gpt-4.1", "opus": "claude-opus-4-6"}
    assert log.families == {"gpt": "openai", "opus": "anthropic"}
    assert set(log.asked) == set(DIAGNOSTICS) - {"label_standards"}
    source = csv_of(tmp_path, log_rows({}))
    plain = study_log(source, read_log(source))
    assert (plain.models, plain.families, plain.asked, plain.pairs, plain.texts) == ({}, {}, {}, None, None)


def test_a_family_is_what_the_manifest_says(tmp_path: Path) -> None:
    """Two models of one provider can be of two families."""
    write_rows(tmp_path, data_rows(2))
    judges = (
        "a: {provider: openai, model: gpt-4.1, family: red}, b: {provider: openai, model: gpt-4.1, family: blue}"
    )
    made = scripted(tmp_path, manifest_of("self_preference: {generators: {a: {}, b: {}}}", judges), honest)
    assert made.log.families == {"a": "red", "b": "blue"}
    assert {line["family"] for line in made.lines("self_preference")} == {"red", "blue"}


def test_a_run_that_was_never_answered_has_dashes(tmp_path: Path) -> None:
    """Everything pending: a chapter is left out, or its numbers are dashes; none is a zero that nobody measured."""
    log = whole_study(tmp_path, answers=False)
    views = [view for chapter in chapters_of(tmp_path / "run", log.verdicts) for view in chapter.views]
    measured = ("accuracy", "rate", "p", "kappa", "stable", "own", "others", "full", "padding")
    cells = [
        cell
        for view in views for row in view.rows for title, cell in zip(view.header, row, strict=True)
        if title in measured or "accuracy" in title or "rate" in title
    ]  # fmt: skip
    assert len(cells) > 100
    assert set(cells) == {"—"}


def test_the_order_of_a_log_changes_no_byte(tmp_path: Path) -> None:
    """Shuffled verdicts, pairs and texts give the same tables and views."""
    log = whole_study(tmp_path)
    mixed = StudyLog(
        log.verdicts.sample(fraction=1, shuffle=True, seed=1),
        log.pairs.reverse() if log.pairs is not None else None,
        log.texts.reverse() if log.texts is not None else None,
        None, log.models, log.families, log.asked,
    )  # fmt: skip
    for diagnostic in DIAGNOSTICS.values():
        first, again = diagnostic.chapter(log), diagnostic.chapter(mixed)
        assert (first is None) == (again is None)
        if first and again:
            assert first.views == again.views
            assert {name: csv_text(table) for name, table in first.tables.items()} == {
                name: csv_text(table) for name, table in again.tables.items()
            }


def test_views_are_rectangles_without_empty_cells(tmp_path: Path) -> None:
    """Every row of a view has a cell for each heading; what is not known is a dash, never an empty cell."""
    log = whole_study(tmp_path)
    views = [view for name in DIAGNOSTICS for chapter in [DIAGNOSTICS[name].chapter(log)] if chapter
             for view in chapter.views]  # fmt: skip
    assert len(views) > 30
    for view in views:
        assert len(set(view.header)) == len(view.header)
        assert {len(row) for row in view.rows} <= {len(view.header)}
        assert all(cell and cell not in ("None", "nan", "null") for row in view.rows for cell in row)
