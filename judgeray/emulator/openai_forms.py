"""OpenAI's two endpoints that answer prompts."""

from __future__ import annotations

from judgeray.emulator.openai_api import OPENAI
from judgeray.emulator.openai_chat import write_chat
from judgeray.emulator.openai_responses import write_response
from judgeray.emulator.openai_spoils import SPOILED_CHATS, SPOILED_RESPONSES
from judgeray.emulator.text_form import TextForm

RESPONSES = TextForm(OPENAI, write_response, SPOILED_RESPONSES)
CHATS = TextForm(OPENAI, write_chat, SPOILED_CHATS)
