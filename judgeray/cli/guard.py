"""How every command ends: with an exit code, and with one clear message where the user must mend something."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

from rich.console import Console

from judgeray.core.errors import BadInputError
from judgeray.core.replay import NondeterministicProcedureError

EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130


def guarded(command: Callable[[Console], int]) -> int:
    """Run a command; what the user must mend is printed without a traceback, and exits with 2."""
    gc.freeze()  # what was imported stays; to walk it again and again took a tenth of the planning of a long run
    try:
        return command(Console())
    except (BadInputError, NondeterministicProcedureError) as error:
        print(error, file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("Interrupted; every reply that came is kept. The same command continues.", file=sys.stderr)
        return EXIT_INTERRUPTED
