"""How the numbers of a report are made: the text that every report ends with."""

from __future__ import annotations

from judgeray.stats.bootstrap import DRAWN_QUESTIONS, LEVEL, METHOD, RESAMPLES
from judgeray.stats.stability import METHOD as STABILITY_METHOD
from judgeray.stats.stability import SUBSETS

METHODS = (
    "Accuracy is the share of settled rows whose verdict is the label. Rows answered without a readable "
    "verdict count as not agreeing; undelivered and pending rows are left out.\n"
    f"Intervals are {LEVEL:.0%} intervals from a {METHOD}: {RESAMPLES:,} resamples of source questions in "
    "lexicographic order, linear interpolation between order statistics. All rows of a question stay together.\n"
    f"With more than {DRAWN_QUESTIONS:,} questions, the interval is the one that ever more resamples tend to, in "
    "closed form (Cornish-Fisher).\n"
    "Contrasts compare two designs (a minus b) on the rows that both settled. A difference is the mean over "
    "questions of each question's mean difference; accuracy and token differences share their resamples.\n"
    "p is the exact two-sided sign test on questions where one design has more correct rows than the other, "
    "ties left out. Holm and BH (Benjamini-Hochberg) adjust it over all contrasts of this report.\n"
    f"Stability is the share of {SUBSETS:,} {STABILITY_METHOD}, whose difference is not zero and has the sign "
    "of the whole.\n"
    "Further tables (tables/*.csv) name unit, method and questions beside each estimate: clustered standard "
    "errors, effective rows with Wilson intervals, McNemar's and permutation tests, equivalence, power, bounds for "
    "missing rows, variance components, agreement, calibration, and cost.\n"
    "Quantiles are type 7. A dash means not known, never zero."
).split("\n")
"""One paragraph each, plain text."""
