"""`judgeray fetch`, `judgeray schema` and `judgeray dashboard`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from judgeray.cli.guard import guarded
from judgeray.core.errors import BadInputError
from judgeray.datasets.fetch import fetch
from judgeray.datasets.official import OFFICIAL
from judgeray.engine.observe.dashboard import dashboard_text
from judgeray.manifest.model import Manifest


def fetch_command(arguments: Sequence[str]) -> int:
    """`judgeray fetch NAME...`: download public benchmark files from their official addresses."""
    about = "\n".join(f"  {name}: {file.url}" for name, file in OFFICIAL.items())
    parser = argparse.ArgumentParser(
        prog="judgeray fetch",
        description="Download public benchmark files.",
        epilog=f"official addresses:\n{about}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="+", choices=sorted(OFFICIAL), metavar="NAME", help=", ".join(OFFICIAL))
    parser.add_argument("--folder", type=Path, default=Path("data"), help="where to put them (default: data)")
    given = parser.parse_args(arguments)

    def download(console: Console) -> int:
        for name in given.names:
            console.print(f"{name}: {fetch(name, given.folder)}", highlight=False, markup=False)
        return 0

    return guarded(download)


def schema_command(arguments: Sequence[str]) -> int:
    """`judgeray schema`: the JSON Schema by which editors check a manifest."""
    argparse.ArgumentParser(prog="judgeray schema", description=schema_command.__doc__).parse_args(arguments)
    print(schema_text(), end="")
    return 0


def dashboard_command(arguments: Sequence[str]) -> int:
    """`judgeray dashboard [--output FILE]`: a Grafana dashboard of the metrics that runs export."""
    parser = argparse.ArgumentParser(prog="judgeray dashboard", description="Print the Grafana dashboard of runs.")
    parser.add_argument("--output", type=Path, help="write it to this file instead")
    given = parser.parse_args(arguments)

    def write(_: Console) -> int:
        if given.output is None:
            print(dashboard_text(), end="")
            return 0
        try:
            given.output.write_text(dashboard_text(), encoding="utf-8")
        except OSError as error:
            raise BadInputError(f"--output: '{given.output}' cannot be written: {error.strerror}.") from error
        return 0

    return guarded(write)


def schema_text() -> str:
    """The schema as it is published in manifests/manifest.schema.json."""
    return json.dumps(Manifest.model_json_schema(), indent=2) + "\n"
