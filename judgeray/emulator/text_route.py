"""A realtime route that answers prompts: limits first, then faults, then the model."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from judgeray.emulator.answer import Answer
from judgeray.emulator.api import Body, Handler, json_body
from judgeray.emulator.fault_names import WIRE_FAULTS, FaultName
from judgeray.emulator.limits import Admission
from judgeray.emulator.prompt import Prompt
from judgeray.emulator.refusal import RequestRefusedError
from judgeray.emulator.served import meet, served
from judgeray.emulator.simulation import Simulation
from judgeray.emulator.text_form import TextForm

Read = Callable[[web.Request, Body], Prompt]
"""Reads a prompt from a request and its body; raises RequestRefusedError."""


def text_route(form: TextForm, simulation: Simulation, read: Read) -> Handler:
    """Make the handler of a route that answers one prompt per request."""
    api = form.api

    async def act(request: web.Request) -> Answer:
        key = api.key(request.headers)
        body = await json_body(request)
        try:
            prompt = read(request, body)
        except RequestRefusedError:
            simulation.limits.failed(api.name, key, str(body.get("model")))
            raise
        simulation.audit.received(prompt, "realtime")
        admission = _admitted(simulation, api.name, key, prompt)
        try:
            fault = simulation.faults.of_prompt(api.name, "realtime", prompt)
            if fault is not None:
                await meet(fault, api, simulation, request, prompt.model)
            answer = await _executed(form, simulation, prompt, body, fault, admission)
        except RequestRefusedError as refusal:
            answer = Answer(refusal=refusal)
        answer.headers = admission.headers()
        return answer

    return served(api, simulation, act)


def _admitted(simulation: Simulation, api: str, key: str, prompt: Prompt) -> Admission:
    try:
        return simulation.limits.admit(api, key, prompt)
    except RequestRefusedError:
        simulation.audit.limited()
        raise


async def _executed(
    form: TextForm,
    simulation: Simulation,
    prompt: Prompt,
    body: Body,
    fault: FaultName | None,
    admission: Admission,
) -> Answer:
    # What is blocked before a model reads it is not billed.
    executed = fault != "prompt_block"
    completion = await simulation.answer(prompt) if executed else simulation.completion(prompt)
    admission.spent(completion.output_tokens)
    try:
        answer = Answer(form.reply(completion, body, fault))
    except RequestRefusedError as refusal:
        answer = Answer(refusal=refusal)
    if fault in WIRE_FAULTS:
        answer.fault = fault
    if executed:
        answer.settled = lambda whole: simulation.audit.settled(prompt, whole)
    return answer
