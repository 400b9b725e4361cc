"""All designs by name: those that judge one candidate, and those that compare two. A new one is one line here."""

from __future__ import annotations

from judgeray.designs.bidirectional import B
from judgeray.designs.candidate_atomic import C_V2, C_V3, C
from judgeray.designs.holistic import H_V2, H_V3, H
from judgeray.designs.pairwise import P, PairwiseDesign
from judgeray.designs.pointwise import PointwiseDesign
from judgeray.designs.reference_atomic import R
from judgeray.designs.schema_matched import S

DESIGNS: dict[str, PointwiseDesign] = {design.name: design for design in (C, H, R, B, C_V2, C_V3, H_V2, H_V3, S)}

PAIRWISE: dict[str, PairwiseDesign] = {design.name: design for design in (P,)}
