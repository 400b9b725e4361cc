"""judgeray: which LLM judge design to trust, for which label, at what cost."""

from importlib.metadata import version

__version__ = version("judgeray")
