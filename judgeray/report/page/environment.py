"""Templates in which every text is inert: escaped for HTML, control characters and direction marks spelled out."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judgeray.report.text import visible


@cache
def environment(package: str, folder: str) -> Environment:
    """Load templates from a folder of a package; a name that a template uses and nobody gave is an error."""
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _shown(value: object) -> object:
    """Make every text that a template writes inert, unless it was made so before."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
