"""Which files a SOURCE names: a run directory, one file, a directory of Parquet, or a glob."""

from __future__ import annotations

from pathlib import Path

from judgeray.core.errors import BadInputError, bad_value

SUFFIXES = (".parquet", ".csv", ".jsonl", ".ndjson")


def verdict_files(source: Path) -> list[Path]:
    """List the files of a verdict log, sorted.

    A directory that holds `verdicts/` is a run directory, and only that folder is read; without it, `pairs/`.
    Raises BadInputError where nothing is found or a file's suffix is not known.
    """
    if source.is_dir():
        return _parquet_below(_verdict_folder(source))
    files = [source] if source.is_file() else _matches(source)
    for file in files:
        if file.suffix.lower() not in SUFFIXES:
            raise bad_value(str(file), "suffix", file.suffix, SUFFIXES)
    return files


def holds_pairs(source: Path) -> bool:
    """Whether a run directory holds winners of pairs and no verdicts."""
    return (source / "pairs").is_dir() and not (source / "verdicts").is_dir()


def _verdict_folder(source: Path) -> Path:
    if (source / "verdicts").is_dir():
        return source / "verdicts"
    if holds_pairs(source):
        return source / "pairs"
    if (source / "manifest.yaml").is_file():
        raise BadInputError(f"{source}: a run directory without verdicts/: nothing has been judged yet")
    return source


def _parquet_below(folder: Path) -> list[Path]:
    files = [file for file in folder.rglob("*.parquet") if not _hidden(file.relative_to(folder))]
    if not files:
        raise BadInputError(f"{folder}: no verdicts here: found no *.parquet file below this directory")
    return sorted(files)


def _hidden(file: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.parts)


def _matches(pattern: Path) -> list[Path]:
    fixed = Path(*_fixed_parts(pattern))
    rest = pattern.relative_to(fixed)
    files = [file for file in fixed.glob(str(rest)) if file.is_file()] if rest.parts else []
    if not files:
        raise BadInputError(f"{pattern}: no such file or directory")
    return sorted(files)


def _fixed_parts(pattern: Path) -> list[str]:
    wild = [index for index, part in enumerate(pattern.parts) if set(part) & set("*?[")]
    return list(pattern.parts[: wild[0]] if wild else pattern.parts)
