"""From what a manifest says of an averaging study to its arms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from judgeray.core.call import Judge
from judgeray.designs.sentence import F
from judgeray.studies.arm import Arm
from judgeray.studies.averaging.claim_arm import ClaimArm
from judgeray.studies.averaging.sentence_arm import SentenceArm
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.cast import check_names
from judgeray.writers.subclaims import SUBCLAIMS


def averaging_arms(
    where: str, spec: AveragingSpec, datasets: Sequence[str], judges: Mapping[str, Judge]
) -> Iterator[Arm]:
    """Yield an arm for each dataset, judge and replicate, on sentences and, where it is asked for, on claims.

    Raises BadInputError for a judge that is not known or reads no prompts.
    """
    able = [name for name, judge in judges.items() if not judge.in_process]
    names = spec.judges or tuple(able)
    check_names(where, "judges", names, able)
    for dataset, name, replicate in product(datasets, names, range(spec.replicates)):
        yield SentenceArm(dataset, F, judges[name], replicate)
    if spec.claims is None:
        return
    check_names(f"{where}.claims", "writer", [spec.claims.writer], able)
    check_names(f"{where}.claims", "judges", spec.claims.judges or names, able)
    writing = judges[spec.claims.writer]
    for dataset, name, replicate in product(datasets, spec.claims.judges or names, range(spec.replicates)):
        yield ClaimArm(dataset, SUBCLAIMS, writing, F, judges[name], replicate)
