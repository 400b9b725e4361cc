"""Reading a manifest file: YAML 1.2, no key twice, and messages that say what to mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from judgeray.core.errors import BadInputError, bad_value
from judgeray.manifest.model import Manifest
from judgeray.providers.keys import KEY_SHAPE

KEY_ADVICE = (
    "keys never stand in a manifest. Put the key into an environment variable and name it with api_key_env, "
    "or into a file and name that with api_key_file"
)
SECRET_FIELDS = frozenset({"api_key", "key", "token", "secret", "password", "authorization"})


def read_manifest(path: Path) -> Manifest:
    """Read and validate a manifest. Raises BadInputError with one line per mistake."""
    document = _load(path)
    try:
        _refuse_keys(str(path), document, "")
    except RecursionError:
        raise BadInputError(f"{path}: an alias holds itself, or parts are nested without end.") from None
    try:
        return Manifest.model_validate(document)
    except ValidationError as error:
        raise BadInputError("\n".join(_line(path, item) for item in error.errors())) from None


def _load(path: Path) -> Any:  # noqa: ANN401 -- any YAML document
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInputError(f"{path}: cannot read the manifest: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path}: the manifest is not UTF-8 (byte {error.start}).") from error
    try:
        document = YAML(typ="safe", pure=True).load(text)
    except DuplicateKeyError as error:
        raise BadInputError(f"{path}: {_place(error)}{error.problem}. Each name may stand once.") from None
    except MarkedYAMLError as error:
        raise BadInputError(f"{path}: {_place(error)}not YAML: {error.problem}.") from None
    except YAMLError as error:
        raise BadInputError(f"{path}: not YAML: {error}") from None
    if not isinstance(document, dict):
        raise BadInputError(f"{path}: found {type(document).__name__}, expected a mapping with {_names(Manifest)}.")
    return document


def _place(error: MarkedYAMLError) -> str:
    return f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""


def _refuse_keys(path: str, value: object, where: str) -> None:
    """Refuse anything that is or looks like an API key, without repeating it."""
    if isinstance(value, dict):
        for name, item in value.items():
            here = f"{where}.{name}" if where else str(name)
            if str(name).lower() in SECRET_FIELDS and isinstance(item, str):
                raise BadInputError(f"{path}: {here}: {KEY_ADVICE}.")
            _refuse_keys(path, item, here)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _refuse_keys(path, item, f"{where}.{number}")
    elif isinstance(value, str) and KEY_SHAPE.search(value):
        raise BadInputError(f"{path}: {where}: holds what looks like an API key; {KEY_ADVICE}.")


def _line(path: Path, error: ErrorDetails) -> str:
    """One mistake: file, place, value found, what is allowed."""
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        parent, _, name = where.rpartition(".")
        model = _model_at(Manifest, error["loc"][:-1])
        return str(bad_value(str(path), f"{parent or 'manifest'}: unknown key", name, _fields(model)))
    if error["type"] == "missing":
        return f"{path}: {where}: is missing."
    if error["type"] == "literal_error":
        found = str(error["input"])
        allowed = [word.strip("' ") for word in str(error["ctx"]["expected"]).replace(" or ", ",").split(",")]
        return str(bad_value(str(path), where, found, allowed))
    if not where:
        return f"{path}: {error['ctx']['error']}."
    return f"{path}: {where}: found {error['input']!r}, {error['msg'][:1].lower()}{error['msg'][1:]}."


def _model_at(model: type[BaseModel] | None, loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """Follow a place in the document to the model that describes it."""
    for part in loc:
        if model is None or (isinstance(part, str) and part not in model.model_fields):
            continue  # a name in a mapping, or a number in a list: the model of the values was found already
        if isinstance(part, str):
            model = _inner_model(model.model_fields[part].annotation)
    return model


def _inner_model(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        if found := _inner_model(argument):
            return found
    return None


def _fields(model: type[BaseModel] | None) -> list[str]:
    return list(model.model_fields) if model else []


def _names(model: type[BaseModel]) -> str:
    return ", ".join(model.model_fields)
