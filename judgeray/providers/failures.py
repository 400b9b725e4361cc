"""From what went wrong to a ProviderError: the taxonomy applied, the provider's words kept, keys blanked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judgeray.providers.account import Kind
from judgeray.providers.errors import ProviderError, Reaction
from judgeray.providers.faults import Fault, read_fault
from judgeray.providers.retry_after import retry_after_seconds
from judgeray.providers.taxonomy import BASE_URL, EXCEPTIONS, RULES, STATUS_OF_NAME, STATUSES, How, Rule
from judgeray.providers.words import fit_to_show

NO_HEADERS: Mapping[str, str] = {}

WRAPPERS = frozenset({"openai", "anthropic"})
"""SDKs that wrap what came from below in an exception whose own words say nothing."""


def from_status(
    api: Kind, status: int, body: object, headers: Mapping[str, str] = NO_HEADERS, key: str = ""
) -> ProviderError:
    """Turn an error response (HTTP status, body as `read_fault` takes it, headers) into a reaction.

    Status 200 means an error inside a body that claims success.
    """
    fault = read_fault(status, body)
    rule = next((rule for rule in RULES[api] if _applies(rule, fault)), None)
    reaction, hint = (rule.reaction, rule.hint) if rule else _by_status(fault)
    words = fit_to_show(fault.message, key) or "no reason given"
    return ProviderError(
        reaction,
        f"{api} answered {status}: {words}" + (f" ({hint})" if hint else ""),
        retry_after_seconds(headers, body),
        fit_to_show(fault.code, key),
        blames_row=rule is not None and rule.blames_row,
    )


def _applies(rule: Rule, fault: Fault) -> bool:
    if rule.opening is not None:
        return fault.message.lstrip().startswith(rule.opening)
    return not rule.names.isdisjoint(fault.names)


def _by_status(fault: Fault) -> tuple[Reaction, str]:
    status = fault.status
    if status == 200:
        status = next(
            (STATUS_OF_NAME[name] for name in fault.names if name in STATUS_OF_NAME), fault.claimed_status
        )
    reaction, hint = STATUSES.get(status, _of_all_others(status))
    if reaction == "account" and status not in (401, 402, 407) and not fault.from_api:
        hint = BASE_URL
    return reaction, hint


def _of_all_others(status: int) -> tuple[Reaction, str]:
    if 300 <= status < 400:
        return "account", BASE_URL
    return ("row", "") if 400 <= status < 500 else ("retry", "")


def from_exception(api: Kind, error: Exception, key: str = "") -> ProviderError | RuntimeError:
    """Turn an exception that carries no response into a reaction; a lost reply may have been paid for.

    Returns a RuntimeError for a mistake of this program, above all an event loop that was closed or changed under
    a client: asking again would hide it.
    """
    links = list(_chain(error))
    told = next((link for link in links if _package(type(link)) not in WRAPPERS), error)
    name, words = type(told).__name__, fit_to_show(str(told), key)
    message = f"{api}: {name}" + (f": {words}" if words else "")
    ways = [_way(link) for link in links]
    if ways[0] is None or "surface" in ways:
        return RuntimeError(message)
    if "account" in ways:
        return ProviderError("account", f"{message} (check base_url and the API key)", code=f"transport:{name}")
    return ProviderError("retry", message, code=f"transport:{name}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and its causes, outermost first."""
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__


def _way(error: BaseException) -> How | None:
    names = (f"{_package(cls)}.{cls.__name__}" for cls in type(error).__mro__)
    return next((EXCEPTIONS[name] for name in names if name in EXCEPTIONS), None)


def _package(cls: type) -> str:
    return cls.__module__.split(".")[0]
