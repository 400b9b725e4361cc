"""Casting: from names in a manifest to arms, with the condition of each bound to its dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

from judgeray.conditions.condition import Condition, Setting
from judgeray.conditions.registry import condition_names, find_condition
from judgeray.conditions.swaps import swaps_of
from judgeray.core.call import Judge
from judgeray.core.canonical import JSONValue
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.designs.registry import DESIGNS
from judgeray.rows import Row
from judgeray.studies.arm import Arm, arm_name
from judgeray.studies.grid import GridArm
from judgeray.studies.spec import Spec

A = TypeVar("A", bound=Arm)


@dataclass(frozen=True)
class Choice:
    """Names that stand at one place of a manifest; `where` is how a message names that place."""

    where: str
    datasets: Sequence[str]
    designs: Sequence[str]
    judges: Sequence[str]
    conditions: Sequence[str] = ("full",)
    replicates: int = 1


@dataclass
class Cast:
    """Everything that arms are made of; what a condition needs of a dataset is read once, when it is first met.

    `judges` are the manifest's, `generator` gives one of them other parameters. `with_other` names the datasets
    whose rows all have a second reference, `made` holds arms by name with the place that asked for each.
    """

    where: str
    sources: Mapping[str, DatasetSource]
    judges: Mapping[str, Judge]
    generator: Callable[[str, Mapping[str, float | int | None]], Judge]
    seed: int = 42
    texts: Mapping[str, str] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    with_other: set[str] = field(default_factory=set)
    made: dict[str, tuple[str, Arm]] = field(default_factory=dict)

    def arms(self, choice: Choice) -> Iterator[GridArm]:
        """Make the arms of a choice. Raises BadInputError for a name that is not known, or a change that a
        dataset does not allow."""
        conditions = {name: self._condition(choice.where, name) for name in choice.conditions}
        self._check(choice)
        for dataset, design, judge, condition, replicate in product(
            choice.datasets, choice.designs, choice.judges, conditions.values(), range(choice.replicates)
        ):
            change = condition.bind(self._setting(choice.where, dataset, condition))
            who = with_parameters(self.judges[judge], condition.parameters)
            yield GridArm(dataset, DESIGNS[design], who, condition.name, replicate, change)

    def choice(
        self,
        where: str,
        spec: Spec,
        designs: Sequence[str],
        conditions: Sequence[str] = ("full",),
        replicates: int = 1,
    ) -> Choice:
        """Fill in what a diagnostic leaves open; an output cap takes the place of the condition `full`."""
        base = "full" if spec.max_output_tokens is None else f"cap_{spec.max_output_tokens}"
        named = [base if name == "full" else name for name in conditions]
        return Choice(where, self.dataset_names(spec), designs, self.judge_names(where, spec), named, replicates)

    def dataset_names(self, spec: Spec) -> Sequence[str]:
        """Name the datasets of a diagnostic."""
        return spec.datasets or tuple(self.sources)

    def judge_names(self, where: str, spec: Spec) -> Sequence[str]:
        """Name the judges of a diagnostic. Raises BadInputError where it names none and none answers prompts."""
        names = spec.judges or self.over_an_api()
        if not names:
            raise BadInputError(
                f"{self.where}: {where}: judges: found {', '.join(sorted(self.judges))}, none of which is asked "
                "over an API, needed: at least one that is."
            )
        return names

    def over_an_api(self) -> tuple[str, ...]:
        """Name the judges that answer prompts."""
        return tuple(name for name, judge in self.judges.items() if not judge.in_process)

    def once(self, where: str, arm: A) -> A:
        """Note an arm whose judge has parameters of its own; two places may ask for the same one.

        Raises BadInputError where another place has asked for one of the same name with other parameters.
        """
        first, known = self.made.setdefault(arm_name(arm), (where, arm))
        if known != arm:
            raise BadInputError(
                f"{self.where}: {where}: asks for {arm_name(arm)} with other parameters than {first}; records hold "
                "one of a name: give both the same parameters, or add the model to judges under another name."
            )
        return arm

    def check(self, where: str, field: str, names: Iterable[str], allowed: Iterable[str]) -> None:
        """Raise BadInputError for a name that is not known or stands twice."""
        check_names(f"{self.where}: {where}", field, names, allowed)

    def _check(self, choice: Choice) -> None:
        self.check(choice.where, "datasets", choice.datasets, self.sources)
        self.check(choice.where, "designs", choice.designs, DESIGNS)
        self.check(choice.where, "judges", choice.judges, self.judges)
        self.check(choice.where, "conditions", choice.conditions, choice.conditions)

    def _condition(self, where: str, name: str) -> Condition:
        condition = find_condition(name)
        if condition is None:
            raise bad_value(f"{self.where}: {where}", "conditions", name, condition_names())
        return condition

    def _setting(self, where: str, dataset: str, condition: Condition) -> Setting:
        """What the condition may use of the dataset. Raises BadInputError where the dataset lacks it."""
        self.settings.setdefault(dataset, Setting(self.seed, self.texts))
        try:
            self._read_needed(dataset, condition)
        except BadInputError as error:
            raise BadInputError(f"{self.where}: {where}: conditions: {error}") from error
        return self.settings[dataset]

    def _read_needed(self, dataset: str, condition: Condition) -> None:
        """Read once what the condition needs of the dataset's rows."""
        setting = self.settings[dataset]
        if condition.needs_swaps and not setting.swaps:
            swaps = swaps_of(dataset, self._rows(dataset), self.seed)
            self.settings[dataset] = replace(setting, swaps=swaps)
        if condition.needs_other and dataset not in self.with_other:
            change = condition.bind(setting)
            for row in self._rows(dataset):
                change(row)
            self.with_other.add(dataset)

    def _rows(self, dataset: str) -> Iterator[Row]:
        return (item for item in load(self.sources[dataset]) if isinstance(item, Row))


def check_names(where: str, field: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    """Raise BadInputError for a name that is not allowed or stands twice."""
    given, known = list(names), list(allowed)
    for name in given:
        if name not in known:
            raise bad_value(where, field, name, known)
        if given.count(name) > 1:
            raise BadInputError(f"{where}: {field}: '{name}' stands more than once.")


def with_parameters(judge: Judge, parameters: Mapping[str, JSONValue]) -> Judge:
    """Give a judge further call parameters; an in-process judge takes none."""
    if not parameters or judge.in_process:
        return judge
    return replace(judge, parameters={**judge.parameters, **parameters})
