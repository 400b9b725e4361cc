"""Anthropic's endpoint that answers prompts."""

from __future__ import annotations

from judgeray.emulator.anthropic_api import ANTHROPIC
from judgeray.emulator.anthropic_faults import SPOILED_MESSAGES
from judgeray.emulator.anthropic_messages import write_message
from judgeray.emulator.text_form import TextForm

MESSAGES = TextForm(ANTHROPIC, write_message, SPOILED_MESSAGES)
