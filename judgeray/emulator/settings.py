"""Settings read from JSON: strict, immutable, and refused with one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgeray.core.errors import BadInputError

ApiName = Literal["openai", "anthropic", "gemini"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Amount = Annotated[int, Field(ge=1)]


class Settings(BaseModel):
    """Base of all settings: unknown names and wrong types are errors, and nothing changes once made."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


Model = TypeVar("Model", bound=BaseModel)


def load_settings(model: type[Model], path: Path, name: str) -> Model:
    """Read settings from a JSON file; `name` says what the whole file is.

    Raises BadInputError naming the file, the field, the value found and what is allowed.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise BadInputError(f"{path}: {first_mistake(error, name)}") from error


def first_mistake(error: ValidationError, name: str) -> str:
    """The first mistake of a validation: field, value found, what is allowed."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or name
    return f"{field}: found {first['input']!r:.80}: {first['msg']}"
