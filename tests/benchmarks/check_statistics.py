"""Whether the statistics keep their promises on clustered data: a long simulation, run by hand.

    PYTHONPATH=. python tests/benchmarks/check_statistics.py [--studies N]

Draws studies of questions with two rows each (`clustered_draws`) and prints, one JSON a line: how often 95 %
intervals hold the truth (they should in 94 to 96 % of studies), how often 5 % tests reject what is true (they
should in 5 % or fewer), and how often the sign test rejects beside what its power predicts (within two points).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from judgeray.stats.agreement import cohen_kappa, group_sums, krippendorff_alpha, pair_sums
from judgeray.stats.bootstrap import clustered_means, clustered_ratios
from judgeray.stats.clustered_errors import mean_errors, ratio_errors
from judgeray.stats.effective_sample import effective_samples
from judgeray.stats.equivalence import equivalence
from judgeray.stats.estimate import Estimate
from judgeray.stats.functions_of_sums import Statistic, clustered_statistics
from judgeray.stats.mcnemar import mcnemar
from judgeray.stats.permutation import sign_flip_test
from judgeray.stats.power import sign_test_power
from judgeray.stats.question_means import Matrix
from judgeray.stats.sign_test import sign_test_p
from tests.benchmarks.clustered_draws import ROWS, Rows, Study

RESAMPLES = 2_000
CATEGORIES = 3


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2_000)
    studies = parser.parse_args().studies
    for questions in (200, 50):
        for accuracy in (0.6, 0.8, 0.9, 0.95, 0.975, 0.99):
            _say("accuracy", _accuracy(Study(questions, accuracy, accuracy), studies))
        for a, b in ((0.85, 0.8), (0.97, 0.9), (0.99, 0.95), (0.99, 0.97)):
            _say("difference", _difference(Study(questions, a, b), studies))
        for accuracy, shared in ((0.8, 0.8), (0.8, 0.0), (0.95, 0.8), (0.99, 0.8)):
            _say("no difference", _null(Study(questions, accuracy, accuracy, shared=shared), studies))
        for error in (0.3, 0.1, 0.03):
            _say("agreement", _agreement(questions, error, studies // 2))
    for questions in (200, 1_000):
        for a, shared in ((0.85, 0.8), (0.97, 0.8), (0.99, 0.8), (0.99, 0.95)):
            _say("at the margin", _margin(Study(questions, a, a - 0.02, shared=shared, likeness=shared), studies))


def _accuracy(study: Study, studies: int) -> dict[str, float]:
    rows, _ = study.rows(studies, _generator(study))
    right, counts = rows.sum(axis=2), np.full(rows.shape[:2], ROWS)
    truth = study.accuracy_a
    return {
        **_described(study),
        "wrong_rows": float((ROWS - right).sum(axis=1).mean()),
        "bootstrap": _coverage(clustered_ratios(right, counts, "", RESAMPLES), truth),
        "clustered_t": _coverage((e.estimate for e in ratio_errors(right, counts, "")), truth),
        "wilson": _coverage((s.estimate for s in effective_samples(right, counts)), truth),
    }


def _difference(study: Study, studies: int) -> dict[str, float]:
    differences, counts = _differences(*study.rows(studies, _generator(study)))
    truth = study.accuracy_a - study.accuracy_b
    differ, won = (differences != 0).mean(), (differences > 0).sum() / (differences != 0).sum()
    return {
        **_described(study),
        "discordant": float(differ * study.questions),
        "bootstrap": _coverage(clustered_means(differences, counts, "", RESAMPLES), truth),
        "clustered_t": _coverage((e.estimate for e in mean_errors(differences, counts, "")), truth),
        "sign_test_rejects": _rejects(_sign_p(differences)),
        "power_predicts": round(100 * sign_test_power(study.questions, float(differ), float(won)), 1),
    }


def _null(study: Study, studies: int) -> dict[str, float]:
    a, b = study.rows(studies, _generator(study))
    differences, counts = _differences(a, b)
    only = zip((a & ~b).sum(axis=(1, 2)).tolist(), (b & ~a).sum(axis=(1, 2)).tolist(), strict=True)
    by_row = [mcnemar(x, y) for x, y in only]
    flips = [sign_flip_test(d, c).p for d, c in zip(differences, counts, strict=True)]
    return {
        **_described(study),
        "shared": study.shared,
        "bootstrap_covers": _coverage(clustered_means(differences, counts, "", RESAMPLES), 0.0),
        "sign_test_rejects": _rejects(_sign_p(differences)),
        "permutation_rejects": _rejects(np.array(flips, dtype=float)),
        "mcnemar_exact_rejects": _rejects(np.array([test.p_exact for test in by_row])),
        "mcnemar_mid_rejects": _rejects(np.array([test.p_mid for test in by_row])),
    }


def _margin(study: Study, studies: int) -> dict[str, float]:
    differences, counts = _differences(*study.rows(studies, _generator(study)))
    tests = equivalence(differences, counts, "", study.accuracy_a - study.accuracy_b)
    return {
        **_described(study),
        "discordant": float((differences != 0).sum(axis=1).mean()),
        "t_rejects": _rejects(np.array([np.nan if t.p_t is None else t.p_t for t in tests])),
        "exact_rejects": _rejects(np.array([np.nan if t.p_exact is None else t.p_exact for t in tests])),
    }


def _agreement(questions: int, error: float, studies: int) -> dict[str, float]:
    """Simulate three judges who err more on hard questions and leave a tenth of the rows without a verdict."""
    rng = np.random.default_rng([questions, round(1_000 * error)])
    truth = _sums(_verdicts(300_000, error, rng))
    drawn = [_sums(_verdicts(questions, error, rng)) for _ in range(studies)]
    found: dict[str, float] = {"questions": questions, "judge_error": error}
    for place, (name, statistic) in enumerate((("kappa", cohen_kappa), ("alpha", krippendorff_alpha))):
        value = _whole(truth[place], statistic)
        stack = np.stack([sums[place] for sums in drawn])
        estimates = clustered_statistics(stack, statistic, "", np.full(studies, questions), RESAMPLES)
        found |= {name: round(value, 3), f"{name}_covers": _coverage(estimates, value)}
    return found


def _verdicts(questions: int, error: float, rng: np.random.Generator) -> NDArray[np.int16]:
    labels = rng.integers(0, 2, (questions, ROWS, 1))
    chance = rng.beta(4 * error, 4 * (1 - error), (questions, 1, 1))
    wrong = rng.random((questions, ROWS, CATEGORIES)) < chance
    said = np.where(wrong, (labels + rng.integers(1, 3, wrong.shape)) % CATEGORIES, labels)
    return np.where(rng.random(said.shape) < 0.1, -1, said).reshape(-1, CATEGORIES).astype(np.int16)


def _sums(verdicts: NDArray[np.int16]) -> tuple[Matrix, Matrix]:
    index = np.arange(len(verdicts)) // ROWS
    pairs = pair_sums(verdicts[:, 0], verdicts[:, 1], CATEGORIES, index)
    return pairs, group_sums(verdicts, CATEGORIES, index, complete=False)


def _whole(sums: Matrix, statistic: Statistic) -> float:
    return float(statistic(sums.sum(axis=1)[None, :, None])[0, 0])


def _differences(a: Rows, b: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return a.sum(axis=2) - b.sum(axis=2), np.full(a.shape[:2], ROWS)


def _sign_p(differences: NDArray[np.int64]) -> NDArray[np.float64]:
    return sign_test_p((differences > 0).sum(axis=1), (differences < 0).sum(axis=1))


def _coverage(estimates: Iterable[Estimate], truth: float) -> float:
    held = [e.low is not None and e.high is not None and e.low <= truth <= e.high for e in estimates]
    return round(100 * float(np.mean(held)), 1)


def _rejects(p: NDArray[np.float64]) -> float:
    return round(100 * float(np.mean(p <= 0.05)), 1)


def _described(study: Study) -> dict[str, float]:
    return {"questions": study.questions, "accuracy_a": study.accuracy_a, "accuracy_b": round(study.accuracy_b, 3)}


def _generator(study: Study) -> np.random.Generator:
    return np.random.default_rng([study.questions, round(1e4 * study.accuracy_a), round(1e4 * study.accuracy_b)])


def _say(what: str, found: dict[str, float]) -> None:
    print(json.dumps({"what": what, **{name: round(value, 3) for name, value in found.items()}}), flush=True)


if __name__ == "__main__":
    main()
