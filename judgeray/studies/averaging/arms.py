"""From what a manifest says of an averaging study to its arms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from judgeray.core.call import Judge
from judgeray.core.errors import BadInputError
from judgeray.designs.sentence import F
from judgeray.studies.arm import Arm
from judgeray.studies.averaging.claim_arm import ClaimArm
from judgeray.studies.averaging.claim_list_arm import ClaimListArm
from judgeray.studies.averaging.labels import sentence_labels
from judgeray.studies.averaging.sentence_arm import SentenceArm
from judgeray.studies.averaging.spec import AveragingSpec
from judgeray.studies.cast import check_names
from judgeray.writers.subclaims import SUBCLAIMS


def averaging_arms(
    where: str, spec: AveragingSpec, datasets: Sequence[str], judges: Mapping[str, Judge]
) -> Iterator[Arm]:
    """Yield an arm for each dataset, judge and replicate, on sentences and, where it is asked for, on claims.

    Lists of claims have an arm of their own, before the claims. Raises BadInputError for a judge that is not known
    or reads no prompts, and what `sentence_labels` raises.
    """
    able = [name for name, judge in judges.items() if not judge.in_process]
    if not able:
        found = ", ".join(sorted(judges))
        raise BadInputError(f"{where}: judges: found {found}, none of which reads prompts, needed: one that does.")
    names = spec.judges or tuple(able)
    check_names(where, "judges", names, able)
    for dataset, name, replicate in product(datasets, names, range(spec.replicates)):
        yield SentenceArm(dataset, F, judges[name], replicate)
    labels = sentence_labels(where, spec)
    if spec.claims is None or labels is None:
        return
    names = spec.claims.judges or names
    check_names(f"{where}.claims", "writer", [spec.claims.writer], able)
    check_names(f"{where}.claims", "judges", names, able)
    lists = [ClaimListArm(dataset, SUBCLAIMS, judges[spec.claims.writer], labels) for dataset in datasets]
    yield from lists
    for listed, name, replicate in product(lists, names, range(spec.replicates)):
        yield ClaimArm(listed, F, judges[name], replicate)
