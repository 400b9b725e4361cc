"""What a diagnostic needs of data, prices and label files is checked before any call and any file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.run.resolve import read_experiment
from judgeray.run.survey import survey
from tests.studies.scripted import GRID, OVERLAP, complaint, manifest_of, written
from tests.studies.scripted_judges import data_rows, write_rows


def test_a_swap_needs_two_questions(tmp_path: Path) -> None:
    """One question has nobody to take a reference from."""
    assert complaint(tmp_path, manifest_of("perturbations: {}"), data_rows(1)) == (
        "scripted.yaml: diagnostics.perturbations: conditions: dataset 'mine': swapped_reference: found 1 "
        "question, needed: at least two, since each takes the reference of another."
    )


def test_a_second_reference_must_be_there(tmp_path: Path) -> None:
    """The first row without one is named, and where one would come from."""
    rows = data_rows(3)
    rows[3]["other_reference"] = " "
    message = complaint(tmp_path, manifest_of("second_reference: {}"), rows)
    assert message.startswith(
        "scripted.yaml: diagnostics.second_reference: conditions: dataset 'mine': second_reference: row "
        "'mine:q001:neg' has no second reference; needed: "
    )


def test_the_grid_has_the_same_rules(tmp_path: Path) -> None:
    """Conditions of a grid entry are checked as those of a diagnostic, with the entry's place."""
    grid = "grid: [{designs: [H], judges: [gpt], conditions: [%s]}]\n"
    expected = {
        "fool": "grid.0: conditions: found 'fool', allowed: cap_N, distractor, full,",
        "reversed": "grid.0: conditions: found 'reversed', allowed: cap_N,",
        "swapped_reference": "grid.0: conditions: dataset 'mine': swapped_reference: found 1 question",
        "padding, padding": "grid.0: conditions: 'padding' stands more than once.",
    }
    for condition, message in expected.items():
        found = complaint(tmp_path, manifest_of(more=grid % condition), data_rows(1))
        assert found.startswith(f"scripted.yaml: {message}")


@pytest.mark.parametrize("name", ["grounding", "pairwise_order", "test_retest"])
def test_judges_in_process_alone_leave_nobody_to_ask(tmp_path: Path, name: str) -> None:
    """A diagnostic that names no judge takes those over an API; without any it would judge nothing, silently."""
    assert complaint(tmp_path, manifest_of(f"{name}: {{}}", OVERLAP)) == (
        f"scripted.yaml: diagnostics.{name}: judges: found overlap, none of which is asked over an API, needed: at "
        "least one that is."
    )


def test_a_generator_needs_a_price(tmp_path: Path) -> None:
    """What writing costs is always told; the message says how to give a price."""
    own = "own: {provider: openai, model: my-own-7b}"
    manifest = manifest_of("generated_answers: {generators: {own: {}}}", own)
    assert complaint(tmp_path, manifest) == (
        "scripted.yaml: generator 'own': the price of model 'my-own-7b' is not known; say it (0 for a model of "
        "your own), e.g. prices: {my-own-7b: {input_usd_per_million: 1, output_usd_per_million: 4}}."
    )
    price = "prices: {my-own-7b: {input_usd_per_million: 0, output_usd_per_million: 0}}\n"
    priced = manifest_of("generated_answers: {generators: {own: {}}}", own, price)
    assert len(read_experiment(written(tmp_path, priced)).arms) == 1 + 3


TWO = "generated_answers: {generators: {gpt: {%s}}, %s}, self_preference: {generators: {gpt: {%s}}, %s}"


@pytest.mark.parametrize(
    ("fills", "about"),
    [
        (
            ("temperature: 0", "judges: [gpt]", "", "judges: [gpt]"),
            "texts/dataset=mine/writer=answer/generator=gpt/v1",
        ),
        (
            ("", "judges: [gpt], caps: {gpt: {H: 9}}", "", "judges: [gpt]"),
            "verdicts/dataset=mine.generated/design=H/judge=gpt/full-r0-gpt",
        ),
    ],
)  # fmt: skip
def test_two_diagnostics_cannot_ask_for_different_answers_of_one_name(
    tmp_path: Path, fills: tuple[str, ...], about: str
) -> None:
    """Else the second would silently be given what the first asked for."""
    assert complaint(tmp_path, manifest_of(TWO % fills)) == (
        f"scripted.yaml: diagnostics.self_preference: asks for {about} with other parameters than "
        "diagnostics.generated_answers; records hold one of a name: give both the same parameters, or add the "
        "model to judges under another name."
    )


def test_two_diagnostics_may_ask_for_the_same_answers(tmp_path: Path) -> None:
    """A default and the same value written out are the same."""
    same = TWO % ("temperature: 0.7", "judges: [gpt]", "max_output_tokens: 256", "judges: [gpt]")
    write_rows(tmp_path, data_rows(2))
    assert len(read_experiment(written(tmp_path, manifest_of(same))).arms) == 1 + 3


def test_no_dataset_is_named_as_answers_are(tmp_path: Path) -> None:
    """Verdicts on real rows and on written answers would stand in one folder."""
    both = manifest_of("generated_answers: {datasets: [mine], generators: {gpt: {}}}").replace(
        "datasets: {mine:", "datasets: {mine.generated: {layout: table, path: '{rows}'}, mine:"
    )
    assert "diagnostics.generated_answers: datasets: found 'mine.generated' among the datasets" in complaint(
        tmp_path, both
    )


LABELS = {
    "not there": (None, "labels.csv: cannot be read: No such file or directory"),
    "empty": ("", "labels.csv: is empty"),
    "unknown row": (
        "row_id,label\nmine:q000:pos,supported\nmine:q009:pos,supported\n",
        "labels.csv: row 2: row_id: found 'mine:q009:pos', allowed: ids of the log's rows; 1 row ids are unknown: ",
    ),
    "unknown label": (
        "row_id,label\nmine:q000:pos,good\n",
        "labels.csv: row 1: label: found 'good', allowed: partially_supported, supported, unsupported.",
    ),
    "missing column": (
        "row_id,verdict\nmine:q000:pos,supported\n",
        "labels.csv: missing column 'label'; columns found: row_id, verdict",
    ),
    "twice": (
        "row_id,label\nmine:q000:pos,supported\nmine:q000:pos,supported\n",
        "labels.csv: row 2: row_id: found 'mine:q000:pos' a second time by annotator 'annotator', allowed: one ",
    ),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_that_do_not_fit(tmp_path: Path, name: str) -> None:
    """A file of label standards is read before a run, though only the report needs it."""
    text, expected = LABELS[name]
    if text is not None:
        (tmp_path / "labels.csv").write_text(text)
    labels = f"label_standards: {{path: '{tmp_path}/labels.csv'}}"
    message = complaint(tmp_path, manifest_of(labels, more=GRID))
    assert message.startswith(f"scripted.yaml: diagnostics.label_standards: {expected}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("{reversed: Hello.}", "condition_texts: texts: found 'reversed', allowed: distractor, padding, "),
        ("{paddin: Hello.}", "condition_texts: texts: found 'paddin', allowed: distractor, padding, "),
        ("{padding: ' '}", "condition_texts: texts.padding: found a blank text, allowed: any other"),
        ("{padding_true: One.}", "condition_texts: texts: found 1 words in padding_true and"),
    ],
)  # fmt: skip
def test_texts_of_conditions(tmp_path: Path, texts: str, expected: str) -> None:
    """A text for a condition that appends none, a blank one, and an unequal pair are refused."""
    message = complaint(tmp_path, manifest_of("verbosity: {}", more=f"condition_texts: {texts}\n"))
    assert message.startswith(f"scripted.yaml: {expected}")


@pytest.mark.parametrize("diagnostic", ["pairwise_order: {}", "generated_answers: {generators: {gpt: {}}}"])
def test_scattered_questions_cannot_be_grouped(tmp_path: Path, diagnostic: str) -> None:
    """Pairs and generated answers need the rows of a question together; other arms do not."""
    write_rows(tmp_path, sorted(data_rows(3), key=lambda row: str(row["variant"])))
    experiment = read_experiment(written(tmp_path, manifest_of(diagnostic)))
    expected = "the rows of question 'q000' do not stand together; pairs and generated answers need that: sort the"
    with pytest.raises(BadInputError, match=re.escape(expected)):
        survey(experiment.sources, experiment.arms)
    alone = read_experiment(written(tmp_path, manifest_of("grounding: {}")))
    assert survey(alone.sources, alone.arms)["mine"].questions == 3
