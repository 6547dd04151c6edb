"""Which hosts a spec's texts go to, and whether they may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchbar.assistants.build import CHAT
from benchbar.clients.endpoint import Endpoint, is_local, usual_address
from benchbar.clients.prices import known_price
from benchbar.clients.providers import no_batches
from benchbar.clients.targets import Target
from benchbar.ledger.database import without_password
from benchbar.records import QUESTION_ANSWERING, Suite
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError, UserError
from benchbar.runs.spec import Spec

_SHOWN = {
    "assistant": "questions and its own replies",
    "simulator": "questions, information and replies",
    "judge": "dialogues and guidance",
    "similarity": "questions, answers and reference answers",
    "entailment": "claims and the articles that they cite",
    "ledger": "all calls and answers",
}


class Receiver(NamedTuple):
    """A part of a run that sends texts to an address."""

    role: str
    """``assistant NAME``, ``simulator``, ``judge``, ``similarity``, ``entailment`` or ``ledger``."""
    address: str
    settings: Mapping[str, Any]


def receivers(spec: Spec) -> Iterator[Receiver]:
    """Every part of the spec that names an address; what Python code and plugins send by themselves is not known here."""
    for name, settings in spec.assistants.items():
        yield from _addressed(f"assistant {name}", settings)
    yield from _addressed("simulator", spec.simulator)
    if spec.judge is not None:
        yield from _addressed("judge", spec.judge.endpoint())
        for one in spec.judge.panel:
            yield from _addressed("judge", one)
        embeddings = spec.judge.rag.get("embeddings") if "rag" in spec.judge.kinds else None
        if isinstance(embeddings, Mapping):
            yield Receiver("similarity", str(embeddings.get("base_url") or "") or usual_address(), embeddings)
    if spec.entailment is not None and spec.entailment.base_url:
        # As of embeddings: it is no chat model, and is asked nothing on trial.
        yield Receiver("entailment", spec.entailment.base_url, {})
    if spec.ledger:
        yield Receiver("ledger", without_password(spec.ledger), {})


def _addressed(role: str, settings: Mapping[str, Any]) -> Iterator[Receiver]:
    """The settings themselves and those within them that name a model or an address."""
    if isinstance(settings.get("url"), str):
        yield Receiver(role, settings["url"], settings)
    elif isinstance(settings.get("model"), str) and (
        settings.get("base_url") or settings.get("kind", "openai") in (*CHAT, "agent")
    ):
        endpoint = endpoint_of(Receiver(role, "", settings))
        yield Receiver(role, endpoint.base_url if endpoint else str(settings.get("base_url", "")), settings)
    for name, value in settings.items():
        if name == "embeddings" and isinstance(value, Mapping):
            # Sent texts like any other; but it is no chat model, so without settings it is asked nothing on trial.
            address = str(value.get("base_url") or "") or usual_address()
            yield Receiver(role, address, {})
        elif isinstance(value, Mapping):
            yield from _addressed(role, value)


def endpoint_of(receiver: Receiver) -> Endpoint | None:
    """The endpoint that a receiver's settings describe; None where they do not, which is refused where they are used.

    Raises:
        UserError: it cannot be asked; names the role.
    """
    settings = receiver.settings
    try:
        return converted({name: settings[name] for name in Endpoint.__struct_fields__ if name in settings}, Endpoint)
    except BadInputError:
        return None
    except UserError as error:
        raise UserError(f"{receiver.role}: {error}") from error


def targets(spec: Spec) -> list[Target]:
    """Each endpoint for chat once, with all the roles that ask it."""
    found: dict[tuple[str, str], Target] = {}
    for receiver in receivers(spec):
        # What compares answers is no chat model.
        chats = "model" in receiver.settings and receiver.role != "similarity"
        endpoint = endpoint_of(receiver) if chats else None
        if endpoint is not None:
            key = (endpoint.identity, endpoint.api_key_env)
            roles = found[key].roles if key in found else ()
            found[key] = Target(tuple(dict.fromkeys((*roles, receiver.role))), endpoint)
    return list(found.values())


def batched_roles(spec: Spec, suite: Suite) -> frozenset[str]:
    """Roles whose calls are handed in as batches: the judge, and assistants that are asked one question each.

    In a consultation each question follows from the last answer, which nobody wants to wait a day for.

    Raises:
        UserError: an endpoint of such a role has no batches.
    """
    if not spec.limits.batch:
        return frozenset()
    roles = {"judge"} | ({"assistant"} if suite.card.protocol == QUESTION_ANSWERING else set())
    for target in targets(spec):
        asked = [role for role in target.roles if role.partition(" ")[0] in roles]
        if asked and (why := no_batches(target.endpoint.protocol)):
            raise UserError(f"limits.batch: {', '.join(asked)} is {why}")
    return frozenset(roles)


def sent_to(spec: Spec) -> list[str]:
    """A line for each host beyond this machine: what it is sent, and as what.

    Raises:
        UserError: the spec allows none, and there is one.
    """
    hosts: dict[str, dict[str, None]] = {}
    for receiver in receivers(spec):
        host = urlsplit(receiver.address).hostname or receiver.address
        if not is_local(host):
            what = _SHOWN[receiver.role.partition(" ")[0]]
            hosts.setdefault(host, {})[f"{what} ({receiver.role})"] = None
    if hosts and spec.limits.local_only:
        named = "; ".join(f"{host}: {', '.join(what)}" for host, what in hosts.items())
        raise UserError(f"--local-only: these would be sent to other machines: {named}. Name endpoints on this machine")
    return [f"sent to {host}: {', '.join(what)}" for host, what in hosts.items()]


def price_notes(spec: Spec) -> list[str]:
    """A line for each endpoint whose price nobody stated and its provider's list has: what is taken, and from where."""
    found = {}
    for target in targets(spec):
        one = target.endpoint
        if one.price is None and (known := known_price(one.model, one.base_url)):
            found[one.model] = (
                f"price of {one.model}: {known.price.input:g} for a million tokens read, {known.price.output:g} written"
                f" ({known.source}); state another with price = {{ input = …, output = … }}"
            )
    return list(found.values())
