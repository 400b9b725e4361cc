"""Gemini's endpoint that answers prompts."""

from __future__ import annotations

from judgeray.emulator.gemini_api import GEMINI
from judgeray.emulator.gemini_content import write_content
from judgeray.emulator.gemini_faults import SPOILED_CONTENT
from judgeray.emulator.text_form import TextForm

CONTENT = TextForm(GEMINI, write_content, SPOILED_CONTENT)
