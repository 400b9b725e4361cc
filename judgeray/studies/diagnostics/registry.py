"""All diagnostics, in the order of a report. A new one is one file and one line here."""

from __future__ import annotations

from judgeray.studies.diagnostics.canary import CANARY
from judgeray.studies.diagnostics.diagnostic import Diagnostic
from judgeray.studies.diagnostics.formats import FORMATS
from judgeray.studies.diagnostics.generated_answers import GENERATED_ANSWERS
from judgeray.studies.diagnostics.grounding import GROUNDING
from judgeray.studies.diagnostics.label_noise import LABEL_NOISE
from judgeray.studies.diagnostics.label_standards import LABEL_STANDARDS
from judgeray.studies.diagnostics.output_caps import OUTPUT_CAPS
from judgeray.studies.diagnostics.pairwise_order import PAIRWISE_ORDER
from judgeray.studies.diagnostics.perturbations import PERTURBATIONS
from judgeray.studies.diagnostics.prompt_variants import PROMPT_VARIANTS
from judgeray.studies.diagnostics.retest_stability import TEST_RETEST
from judgeray.studies.diagnostics.schema_control import SCHEMA_CONTROL
from judgeray.studies.diagnostics.second_reference import SECOND_REFERENCE
from judgeray.studies.diagnostics.self_preference import SELF_PREFERENCE
from judgeray.studies.diagnostics.verbosity import VERBOSITY

DIAGNOSTICS: dict[str, Diagnostic] = {
    diagnostic.name: diagnostic
    for diagnostic in (
        PROMPT_VARIANTS,
        SCHEMA_CONTROL,
        OUTPUT_CAPS,
        GROUNDING,
        PERTURBATIONS,
        PAIRWISE_ORDER,
        GENERATED_ANSWERS,
        SELF_PREFERENCE,
        LABEL_STANDARDS,
        LABEL_NOISE,
        TEST_RETEST,
        CANARY,
        VERBOSITY,
        FORMATS,
        SECOND_REFERENCE,
    )
}
