"""By which exceptions file systems say that something cannot be read or written."""

from __future__ import annotations

import sys

# What remote file systems raise besides OSError; looked up only where the library is loaded already.
_BACKEND_ERRORS = (
    ("botocore.exceptions", "BotoCoreError"),
    ("huggingface_hub.errors", "HfHubHTTPError"),
    ("httpx", "HTTPError"),
    ("httpx2", "HTTPError"),
    ("aiohttp", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("azure.core.exceptions", "AzureError"),
)


def storage_errors() -> tuple[type[Exception], ...]:
    """Give the exceptions of local and remote file systems, as far as their libraries are loaded."""
    loaded = [(sys.modules[module], name) for module, name in _BACKEND_ERRORS if module in sys.modules]
    return (OSError, *(getattr(module, name) for module, name in loaded))
