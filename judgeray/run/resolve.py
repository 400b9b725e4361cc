"""From a manifest to what it means: datasets, judges, accounts and arms, with every name checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypeVar

from judgeray.conditions.registry import CONDITIONS
from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.registry import load
from judgeray.datasets.source import DatasetSource
from judgeray.designs.registry import DESIGNS
from judgeray.emulator.behaviour import Behaviour
from judgeray.manifest.model import DatasetSpec, GridEntry, Manifest, ProviderSpec
from judgeray.manifest.read import read_manifest
from judgeray.providers.account import KINDS, Account
from judgeray.providers.prices import Price, Prices
from judgeray.run.accounts import account, judge
from judgeray.studies.arm import Arm

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Experiment:
    """A manifest, understood: sources and arms say what, accounts say how."""

    path: Path
    manifest: Manifest
    behaviour: Behaviour | None
    sources: tuple[DatasetSource, ...]
    arms: tuple[Arm, ...]
    accounts: Mapping[str, Account]
    prices: Prices


def read_experiment(path: Path, limit: int | None = None, emulate: bool = False) -> Experiment:
    """Read a manifest and check every name and file in it; `limit` caps the questions per dataset.

    Raises BadInputError, one line per mistake, before anything is started.
    """
    manifest = read_manifest(path)
    behaviour = manifest.emulator or (Behaviour() if emulate else None)
    mistakes = Mistakes()
    accounts = _accounts(str(path), manifest, mistakes)
    judges = _judges(str(path), manifest, accounts, behaviour, mistakes)
    sources = mistakes.collect(
        manifest.datasets, lambda name: _source(str(path), name, manifest.datasets[name], limit)
    )
    arms = _arms(str(path), manifest, judges, mistakes)
    mistakes.raise_all()
    own = {model: Price(**spec.model_dump()) for model, spec in manifest.prices.items()}
    prices = Prices({name: known.kind for name, known in accounts.items()}, own)
    if manifest.budget_usd is not None:
        _check_prices(str(path), arms, prices)
    return Experiment(path, manifest, behaviour, tuple(sources.values()), arms, accounts, prices)


def _check_prices(where: str, arms: Iterable[Arm], prices: Prices) -> None:
    """A budget can only be kept where every model has a price. Raises BadInputError naming the first without."""
    for arm in arms:
        if prices.cost(arm.judge.provider, arm.judge.model, 1, 1) is None:
            raise BadInputError(
                f"{where}: budget_usd: the price of model '{arm.judge.model}' is not known; say it, e.g. "
                f"prices: {{{arm.judge.model}: {{input_usd_per_million: 1, output_usd_per_million: 4}}}}."
            )


class Mistakes:
    """Collects messages, so that a user sees all mistakes of a manifest at once."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def collect(self, names: Iterable[K], build: Callable[[K], V]) -> dict[K, V]:
        """Build one value per name; names whose value is bad are left out and noted."""
        built: dict[K, V] = {}
        for name in names:
            try:
                built[name] = build(name)
            except BadInputError as error:
                self._lines.append(str(error))
        return built

    def raise_all(self) -> None:
        """Raise one BadInputError with a line per mistake, if there was any."""
        if self._lines:
            raise BadInputError("\n".join(dict.fromkeys(self._lines)))


def _accounts(where: str, manifest: Manifest, mistakes: Mistakes) -> dict[str, Account]:
    """Accounts that the manifest names, and one with defaults for each kind that a judge names directly."""
    used = {spec.provider for spec in manifest.judges.values()}
    specs = {name: ProviderSpec() for name in KINDS if name in used} | manifest.providers
    return mistakes.collect(specs, lambda name: account(where, name, specs[name]))


def _judges(
    where: str,
    manifest: Manifest,
    accounts: Mapping[str, Account],
    behaviour: Behaviour | None,
    mistakes: Mistakes,
) -> dict[str, Judge]:
    simulated = behaviour.digest() if behaviour else None
    allowed = {*KINDS, *manifest.providers}

    def build(name: str) -> Judge | None:
        spec = manifest.judges[name]
        if spec.provider not in allowed:
            raise bad_value(where, f"judges.{name}.provider", spec.provider, allowed)
        known = accounts.get(spec.provider)
        return judge(where, name, spec, known, simulated) if known else None

    built = mistakes.collect(manifest.judges, build)
    return {name: value for name, value in built.items() if value is not None}


def _source(where: str, name: str, spec: DatasetSpec, limit: int | None) -> DatasetSource:
    questions = min((n for n in (spec.questions, limit) if n is not None), default=None)
    source = DatasetSource(name, spec.layout or name, spec.path, questions, spec.split, spec.columns)
    try:
        load(source)
    except BadInputError as error:
        raise BadInputError(f"{where}: datasets.{name}: {error}") from error
    return source


def _arms(where: str, manifest: Manifest, judges: Mapping[str, Judge], mistakes: Mistakes) -> tuple[Arm, ...]:
    for number, entry in enumerate(manifest.grid):
        _check_names(f"{where}: grid.{number}", entry, manifest, mistakes)
    _check(where, "conditions", manifest.conditions, CONDITIONS, mistakes)
    mistakes.raise_all()
    arms: dict[str, Arm] = {}
    for number, entry in enumerate(manifest.grid):
        for arm in _entry_arms(entry, manifest, judges):
            if arm.name in arms:
                raise BadInputError(f"{where}: grid.{number}: names {arm.name} a second time; each may stand once.")
            arms[arm.name] = arm
    return tuple(arms.values())


def _entry_arms(entry: GridEntry, manifest: Manifest, judges: Mapping[str, Judge]) -> Iterable[Arm]:
    replicates = range(manifest.replicates)
    datasets = entry.datasets or list(manifest.datasets)
    for dataset, design, name, condition, replicate in product(
        datasets, entry.designs, entry.judges, manifest.conditions, replicates
    ):
        yield Arm(dataset, DESIGNS[design], judges[name], condition, replicate)


def _check_names(where: str, entry: GridEntry, manifest: Manifest, mistakes: Mistakes) -> None:
    _check(where, "designs", entry.designs, DESIGNS, mistakes)
    _check(where, "judges", entry.judges, manifest.judges, mistakes)
    _check(where, "datasets", entry.datasets or [], manifest.datasets, mistakes)


def _check(where: str, field: str, names: list[str], allowed: Iterable[str], mistakes: Mistakes) -> None:
    known = list(allowed)

    def build(name: str) -> None:
        if name not in known:
            raise bad_value(where, field, name, known)
        if names.count(name) > 1:
            raise BadInputError(f"{where}: {field}: '{name}' stands more than once.")

    mistakes.collect(dict.fromkeys(names), build)
