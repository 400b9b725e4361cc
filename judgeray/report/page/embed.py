"""What goes into script elements: the chart library, our scripts, and data that cannot leave its element."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import vl_convert
from platformdirs import user_cache_path

SCRIPTS = ("copy.js", "tables.js", "figures.js", "page.js")
"""Our scripts, in the order in which they run."""


_EXPORTS = "window.vegaEmbed = vegaEmbed;"


def packaged(name: str) -> str:
    """Read one of the files beside this module."""
    return files("judgeray.report.page").joinpath(name).read_text(encoding="utf-8")


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, out of the `vl-convert-python` package; nothing is fetched.

    Bundling takes seconds, so the script is kept in the user's cache folder, by the version of the package.
    """
    kept = user_cache_path("judgeray") / f"charts-{version('vl-convert-python')}.js"
    try:
        return inert_script(kept.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        script = inert_script(vl_convert.javascript_bundle(_EXPORTS))
        _keep(kept, script)
        return script


def _keep(path: Path, script: str) -> None:
    """Write a script whole, where that can be done: a cache that cannot be written is no harm."""
    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        hidden.write_text(script, encoding="utf-8")
        hidden.replace(path)


def compiled(spec: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """Compile a Vega-Lite specification to Vega, so that no browser need; raises ValueError for a wrong one."""
    compiled_spec: dict[str, Any] = vl_convert.vegalite_to_vega({**spec, "config": dict(config)})
    return compiled_spec


def inert_script(text: str) -> str:
    """Check that a script can stand in a page; raises ValueError for one that would end its own element."""
    lowered = text.lower()
    if "</script" in lowered or "<!--" in lowered:
        raise ValueError("a script holds the end of a script element")
    return text


def json_block(value: object) -> str:
    """Write JSON for a data element: ASCII, and without a character that HTML could take for markup."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def content_policy(scripts: list[str]) -> str:
    """Write the Content-Security-Policy under which only these scripts run and nothing is fetched."""
    hashes = " ".join(f"'sha256-{_digest(text)}'" for text in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
