"""Generated answers: candidates that no benchmark cut (study 1, section 6.2, Tables 11 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated

import polars as pl
from pydantic import Field

from judgeray.analysis.diagnostics.generated import generated
from judgeray.analysis.diagnostics.texts_written import texts_written
from judgeray.core.errors import BadInputError
from judgeray.designs.registry import DESIGNS
from judgeray.report.chapter import Chapter
from judgeray.report.view import View
from judgeray.studies.arm import Arm
from judgeray.studies.cast import Cast, with_parameters
from judgeray.studies.diagnostics.diagnostic import Diagnostic, StudyLog
from judgeray.studies.diagnostics.shapes import by_design, listing, number, share, text_of
from judgeray.studies.generated_arm import GeneratedArm, generated_name
from judgeray.studies.spec import DesignSpec, Name, Names, Positive, Strict
from judgeray.studies.text_arm import TextArm
from judgeray.writers.registry import WRITERS


class GeneratorSpec(Strict):
    """What a generator is sent, beside its judge's other parameters; null leaves a parameter out."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.7
    max_output_tokens: Positive | None = 256


class GeneratedAnswersSpec(DesignSpec):
    """Who writes answers, and who judges them."""

    generators: Annotated[dict[Name, GeneratorSpec], Field(min_length=1)] = Field(
        description="Name of an entry of judges -> what it is sent as a generator."
    )
    designs: Names = ("C", "H", "R")
    writer: str = "answer"
    max_output_tokens: None = None
    caps: dict[Name, dict[Name, Positive]] = Field(
        default_factory=dict, description="Judge -> design -> output cap, where settings are not uniform."
    )


def arms(where: str, spec: GeneratedAnswersSpec, cast: Cast) -> Iterator[Arm]:
    """Let every generator answer every question, then judge each answer whole and cut."""
    cast.check(where, "writer", [spec.writer], WRITERS)
    cast.check(where, "designs", spec.designs, DESIGNS)
    datasets, judges = cast.dataset_names(spec), cast.judge_names(where, spec)
    _check(where, spec, cast, datasets, judges)
    texts = [
        cast.once(where, TextArm(dataset, WRITERS[spec.writer], cast.generator(name, given.model_dump())))
        for dataset, (name, given) in product(datasets, spec.generators.items())
    ]
    yield from texts
    for text, design, judge in product(texts, spec.designs, judges):
        cap = spec.caps.get(judge, {}).get(design)
        sent = {} if cap is None else {"max_output_tokens": cap}
        who = with_parameters(cast.judges[judge], sent)
        yield cast.once(where, GeneratedArm(text, DESIGNS[design], who))


def _check(
    where: str, spec: GeneratedAnswersSpec, cast: Cast, datasets: Sequence[str], judges: Sequence[str]
) -> None:
    """Raise BadInputError for a name that is not known, and for a dataset that is named as answers are."""
    cast.check(where, "datasets", datasets, cast.sources)
    cast.check(where, "judges", judges, cast.judges)
    cast.check(where, "generators", spec.generators, cast.over_an_api())
    cast.check(f"{where}.caps", "judges", spec.caps, judges)
    for capped in spec.caps.values():
        cast.check(f"{where}.caps", "designs", capped, spec.designs)
    for dataset in datasets:
        if generated_name(dataset) in cast.sources:
            raise BadInputError(
                f"{cast.where}: {where}: datasets: found '{generated_name(dataset)}' among the datasets, which is "
                f"how the answers to '{dataset}' are named, allowed: any other name."
            )


def chapter(log: StudyLog) -> Chapter | None:
    """Show how far judges agree with the nominal labels, pooled and by generator."""
    if log.texts is None or log.texts.is_empty():
        return None
    table, written = generated(log.verdicts, log.texts, log.models), texts_written(log.texts)
    pooled = table.filter(pl.col("generator").is_null())
    single = table.filter(pl.col("generator").is_not_null())
    return Chapter(
        "generated_answers",
        "Generated answers",
        "study 1 (arXiv 2603.28005), section 6.2, Tables 11 and 12",
        "Models answer the questions. The whole answer is labelled supported, its first third of sentences "
        "partially supported.",
        {"generated_answers": table, "texts_written": written},
        (_written(written), _accuracies("All generators", pooled), _accuracies("By generator", single)),
        (
            (
                "Both labels are nominal and noisy: a fluent answer need not cover the reference, and a partial "
                "that equals the whole answer plus a period is no partial."
            ),
            (
                "A judge that wrote the answers it judges is marked; that makes the overlap visible and does not "
                "rule out self-preference."
            ),
        ),
    )


def _written(table: pl.DataFrame) -> View:
    names = ("dataset", "generator", "served_models", "answers", "ok", "refused", "truncated", "identical")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    return listing("What was written", table, columns | {"mean words": number("mean_words", 1)})


def _accuracies(title: str, table: pl.DataFrame) -> View:
    generator: Mapping[str, Iterable[str]] = {"All generators": (), "By generator": ("generator", "self_judged")}
    names = ("dataset", *generator[title], "judge", "design", "rows", "identical_rows")
    columns = {name.replace("_", " "): text_of(name) for name in names}
    measures = {
        "full": share("full_accuracy"), "partial": share("partial_accuracy"), "overall": share("accuracy"),
        "without identical": number("accuracy_without_identical", 3),
    }  # fmt: skip
    ordered = by_design(table, "dataset", *(name for name in generator[title] if name == "generator"), "judge")
    return listing(title, ordered, columns | measures)


GENERATED_ANSWERS = Diagnostic("generated_answers", GeneratedAnswersSpec, arms, chapter)
