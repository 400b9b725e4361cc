"""Accounts and judges of a manifest."""

from __future__ import annotations

from urllib.parse import urlsplit

from judgeray.core.call import Judge
from judgeray.core.canonical import JSONValue
from judgeray.core.errors import BadInputError, bad_value
from judgeray.manifest.model import JudgeSpec, ProviderSpec
from judgeray.providers.account import IN_PROCESS, KINDS, Account, BatchSettings, Kind, Limits
from judgeray.providers.anthropic_messages import DEFAULT_MAX_TOKENS
from judgeray.providers.lexical import MODELS as LEXICAL_MODELS

COMMON = frozenset({"temperature", "top_p", "max_output_tokens", "reasoning_effort", "extra_body"})
PARAMETERS: dict[tuple[Kind, str], frozenset[str]] = {
    ("openai", "responses"): COMMON | {"top_logprobs"},
    ("openai", "chat"): COMMON | {"top_logprobs", "seed"},
    ("anthropic", "responses"): COMMON,
    ("google", "responses"): COMMON | {"top_logprobs", "seed"},
    ("lexical", "responses"): frozenset(),
    ("nli", "responses"): frozenset(),
}
"""Parameters that each API takes; one that it does not know is refused here rather than dropped."""


def account(where: str, name: str, spec: ProviderSpec) -> Account:
    """Build an account. Raises BadInputError for an unknown kind or a base URL that is none."""
    kind = spec.kind or next((kind for kind in KINDS if kind == name), None)
    if kind is None:
        raise bad_value(where, f"providers.{name}.kind", "nothing", KINDS)
    if spec.base_url is not None:
        _check_url(where, f"providers.{name}.base_url", spec.base_url)
    if spec.api is not None and kind != "openai":
        raise BadInputError(f"{where}: providers.{name}.api: only accounts of kind openai have it, this is {kind}.")
    return Account(
        name=name,
        kind=kind,
        api=spec.api or ("chat" if kind == "openai" and spec.base_url else "responses"),
        base_url=spec.base_url,
        api_key_env=spec.api_key_env,
        api_key_file=spec.api_key_file,
        max_tokens_field=spec.max_tokens_field,
        mode=spec.mode,
        batch=BatchSettings(**spec.batch.model_dump()),
        concurrency=spec.concurrency,
        actors=spec.actors,
        gpus_per_actor=spec.gpus_per_actor,
        limits=Limits(**spec.limits.model_dump()),
        connect_timeout_seconds=spec.connect_timeout_seconds,
        timeout_seconds=spec.timeout_seconds,
        row_timeout_seconds=spec.row_timeout_seconds,
        max_attempts=spec.max_attempts,
    )


def _check_url(where: str, field: str, url: str) -> None:
    """Refuse what is no http URL, and one that carries a password. Raises BadInputError."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadInputError(f"{where}: {field}: found '{url}', expected a URL such as http://127.0.0.1:8000/v1.")
    if parts.username or parts.password:
        raise BadInputError(f"{where}: {field}: holds a user or password; give the key with api_key_env instead.")


def judge(where: str, name: str, spec: JudgeSpec, provider: Account, simulated: str | None) -> Judge:
    """Build a judge. Raises BadInputError for a missing model or a parameter that its API does not take."""
    given = spec.model_dump(exclude={"provider", "model", "family"}, exclude_none=True)
    takes = PARAMETERS[provider.kind, provider.api]
    for parameter in given:
        if parameter not in takes:
            api = f"openai ({provider.api})" if provider.kind == "openai" else provider.kind
            raise bad_value(f"{where}: judges.{name}", f"parameter unknown to {api}", parameter, takes)
    in_process = provider.kind in IN_PROCESS
    return Judge(
        name=name,
        provider=provider.name,
        model=_model(where, name, spec, provider.kind),
        parameters=_with_demanded(provider.kind, given),
        in_process=in_process,
        simulated=None if in_process else simulated,
    )


def _model(where: str, name: str, spec: JudgeSpec, kind: Kind) -> str:
    if kind != "lexical":
        if spec.model is None:
            raise BadInputError(f"{where}: judges.{name}.model: is missing.")
        return spec.model
    model = spec.model or next(iter(LEXICAL_MODELS))
    if model not in LEXICAL_MODELS:
        raise bad_value(where, f"judges.{name}.model", model, LEXICAL_MODELS)
    return model


def _with_demanded(kind: Kind, given: dict[str, JSONValue]) -> dict[str, JSONValue]:
    """What an API demands has one documented default, recorded in the call."""
    if kind == "anthropic":
        return {"max_output_tokens": DEFAULT_MAX_TOKENS, **given}
    return given
