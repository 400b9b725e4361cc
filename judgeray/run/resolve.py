"""From a manifest to what it means: datasets, judges, accounts and arms, with every name checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from judgeray.conditions.condition import Setting
from judgeray.conditions.texts import DEFAULT_TEXTS, check_texts
from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError, bad_value
from judgeray.datasets.source import DatasetSource
from judgeray.datasets.summary_source import SummarySource
from judgeray.emulator.behaviour import Behaviour
from judgeray.manifest.model import DatasetSpec, Manifest, ProviderSpec
from judgeray.manifest.read import read_manifest
from judgeray.providers.account import KINDS, Account
from judgeray.providers.prices import Price, Prices
from judgeray.run.accounts import account, judge
from judgeray.run.checks import check_prices, check_standards
from judgeray.run.sampled import with_samples
from judgeray.run.study_checks import check_in_process, check_unread
from judgeray.studies.arm import Arm, arm_name
from judgeray.studies.averaging.arms import averaging_arms
from judgeray.studies.averaging.study import averaging_study
from judgeray.studies.cast import Cast, Choice
from judgeray.studies.diagnostics.registry import DIAGNOSTICS
from judgeray.studies.grid import GridArm
from judgeray.studies.perturbation.arms import PERTURBATION, perturbation_arms
from judgeray.studies.study import GRID, Study
from judgeray.studies.text_arm import TextArm

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Experiment:
    """A manifest, understood: sources and arms say what, accounts say how.

    `settings` holds, for each dataset, the texts and swapped references that its conditions use; `judges` and
    `families` (who made the model) go by the manifest's names. `options` are what the command line said of what to
    judge: with the same ones, `read_experiment` gives the same experiment.
    """

    path: Path
    manifest: Manifest
    behaviour: Behaviour | None
    sources: tuple[DatasetSource, ...]
    arms: tuple[Arm, ...]
    accounts: Mapping[str, Account]
    prices: Prices
    settings: Mapping[str, Setting]
    judges: Mapping[str, Judge]
    families: Mapping[str, str]
    options: Mapping[str, int | bool | None]
    study: Study = GRID


def read_experiment(
    path: Path, limit: int | None = None, emulate: bool = False, samples: bool = False
) -> Experiment:
    """Read a manifest and check every name and file in it; `limit` caps the questions per dataset.

    `samples` puts the packaged sample of the same layout in the place of every data file. Raises BadInputError, one
    line per mistake, before anything is started.
    """
    manifest = with_samples(str(path), read_manifest(path)) if samples else read_manifest(path)
    behaviour = manifest.emulator or (Behaviour() if emulate else None)
    mistakes = Mistakes()
    accounts = _accounts(str(path), manifest, mistakes)
    judges = _judges(str(path), manifest, accounts, behaviour, mistakes)
    study = _study(path, manifest)
    sources = mistakes.collect(
        manifest.datasets, lambda name: _source(str(path), name, manifest.datasets[name], limit, study)
    )
    mistakes.raise_all()
    check_unread(str(path), manifest)
    check_texts(f"{path}: condition_texts", manifest.condition_texts)
    cast = Cast(
        str(path), sources, judges, _generator(str(path), manifest, accounts, behaviour), manifest.seed,
        DEFAULT_TEXTS | manifest.condition_texts,
    )  # fmt: skip
    arms = _arms_of_study(cast, manifest, sources, accounts, mistakes)
    own = {model: Price(**spec.model_dump()) for model, spec in manifest.prices.items()}
    prices = Prices({name: known.kind for name, known in accounts.items()}, own)
    check_prices(str(path), manifest.budget_usd is not None, arms, prices)
    check_standards(str(path), manifest.diagnostics.asked(), sources.values())
    families = {name: spec.family or accounts[spec.provider].kind for name, spec in manifest.judges.items()}
    options = {"limit": limit, "emulate": emulate, "samples": samples}
    return Experiment(
        path,
        manifest,
        behaviour,
        tuple(sources.values()),
        arms,
        accounts,
        prices,
        cast.settings,
        judges,
        families,
        options,
        study,
    )


def _arms_of_study(
    cast: Cast,
    manifest: Manifest,
    sources: Mapping[str, DatasetSource],
    accounts: Mapping[str, Account],
    mistakes: Mistakes,
) -> tuple[Arm, ...]:
    """Make the arms of the one kind of study that a manifest names. Raises BadInputError as they do."""
    if manifest.perturbation:
        place = f"{cast.where}: perturbation"
        arms = tuple(perturbation_arms(place, manifest.perturbation, sources, cast.judges, manifest.seed))
        check_in_process(place, arms, accounts)
        return arms
    if manifest.averaging:
        return tuple(averaging_arms(f"{cast.where}: averaging", manifest.averaging, tuple(sources), cast.judges))
    return _arms(cast, manifest, mistakes)


def _study(path: Path, manifest: Manifest) -> Study:
    """Name the kind of study. Raises BadInputError where what splits or labels sentences is not there."""
    if manifest.averaging:
        return averaging_study(f"{path}: averaging", manifest.averaging)
    return PERTURBATION if manifest.perturbation else GRID


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


def _source(where: str, name: str, spec: DatasetSpec, limit: int | None, study: Study) -> DatasetSource:
    questions = min((n for n in (spec.questions, limit) if n is not None), default=None)
    common = name, spec.layout or name, spec.path, questions, spec.split, spec.columns
    source: DatasetSource = DatasetSource(*common)
    if study.name == "averaging":
        source = SummarySource(*common, documents=spec.documents, subsets=tuple(spec.subsets))
    elif spec.documents or spec.subsets:
        raise BadInputError(f"{where}: datasets.{name}: documents and subsets belong to averaging studies alone.")
    try:
        study.load(source)
    except BadInputError as error:
        raise BadInputError(f"{where}: datasets.{name}: {error}") from error
    return source


def _arms(cast: Cast, manifest: Manifest, mistakes: Mistakes) -> tuple[Arm, ...]:
    """All arms: texts first, so that a plan counts each written answer where it is written."""
    arms: dict[str, Arm] = {}
    choices = mistakes.collect(range(len(manifest.grid)), lambda number: _entry_arms(cast, manifest, number))
    for number, entry in choices.items():
        for arm in entry:
            if arm_name(arm) in arms:
                raise BadInputError(
                    f"{cast.where}: grid.{number}: names {arm_name(arm)} a second time; each may stand once."
                )
            arms[arm_name(arm)] = arm
    asked = manifest.diagnostics.asked()
    wanted = mistakes.collect(
        asked, lambda name: list(DIAGNOSTICS[name].arms(f"diagnostics.{name}", asked[name], cast))
    )
    for found in (arm for diagnostic in wanted.values() for arm in diagnostic):
        arms.setdefault(arm_name(found), found)
    mistakes.raise_all()
    return tuple(sorted(arms.values(), key=lambda arm: not isinstance(arm, TextArm)))


def _entry_arms(cast: Cast, manifest: Manifest, number: int) -> list[GridArm]:
    entry = manifest.grid[number]
    choice = Choice(
        f"grid.{number}",
        entry.datasets or list(manifest.datasets),
        entry.designs,
        entry.judges,
        entry.conditions or manifest.conditions,
        entry.replicates or manifest.replicates,
    )
    return list(cast.arms(choice))


def _generator(
    where: str, manifest: Manifest, accounts: Mapping[str, Account], behaviour: Behaviour | None
) -> Callable[[str, Mapping[str, float | int | None]], Judge]:
    """Give a judge of the manifest other parameters; None leaves a parameter out."""
    simulated = behaviour.digest() if behaviour else None

    def generator(name: str, parameters: Mapping[str, float | int | None]) -> Judge:
        spec = manifest.judges[name].model_copy(update=dict(parameters))
        return judge(where, name, spec, accounts[spec.provider], simulated)

    return generator
