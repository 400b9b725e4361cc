"""All designs by name. A new design is one file and one line here."""

from __future__ import annotations

from judgeray.designs.bidirectional import B
from judgeray.designs.candidate_atomic import C
from judgeray.designs.holistic import H
from judgeray.designs.pointwise import PointwiseDesign
from judgeray.designs.reference_atomic import R

DESIGNS: dict[str, PointwiseDesign] = {design.name: design for design in (C, H, R, B)}
