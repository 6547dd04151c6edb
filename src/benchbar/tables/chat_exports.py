"""Exports of chat programs: ChatGPT's and Claude's ``conversations.json``, and lists of messages with roles.

Who edits a question, or asks for another answer, makes a tree of a conversation. Read is the branch that was open last, which
is what the user saw in the end; what stands on other branches is counted and said. Answers of one turn that tools or thoughts
divide are one answer, as on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_SPOKEN = frozenset({"text", "multimodal_text"})
"""Kinds of content that ChatGPT shows as what was said; others are code for tools, what they gave, and thoughts."""
_SENDERS = {"human": "user", "user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


class ChatExport(NamedTuple):
    """Conversations as rows with ``id`` and ``messages``."""

    form: str
    rows: list[tuple[int, dict[str, Any]]]
    """Number of the conversation in the file, from 1, and its fields."""
    notes: tuple[str, ...]
    """What was taken and what was not, for people."""


class _Message(NamedTuple):
    role: str
    text: str


class _Conversation(NamedTuple):
    id: str
    messages: list[_Message]
    elsewhere: int = 0
    """Answers on branches that are not read."""


def chat_export(document: Any) -> ChatExport | None:
    """What a JSON document holds, if it is such an export; else None."""
    single = isinstance(document, dict)
    listed = [document] if single else document
    if not isinstance(listed, list) or not listed:
        return None
    if _all(listed, lambda one: isinstance(one.get("mapping"), dict)):
        return _export("ChatGPT export", map(_of_chatgpt, listed))
    if _all(listed, lambda one: isinstance(one.get("chat_messages"), list)):
        return _export("Claude export", map(_of_claude, listed))
    if not single and _are_messages(listed):
        return _export("list of messages", [_plain(listed)])
    if not single and all(isinstance(one, list) and _are_messages(one) for one in listed):
        return _export("lists of messages", map(_plain, listed))
    if single and isinstance(document.get("messages"), list) and _are_messages(document["messages"]):
        return _export("list of messages", [_plain(document["messages"])._replace(id=_text(document.get("id")))])
    return None


def _all(listed: Sequence[Any], holds: Any) -> bool:
    return all(isinstance(one, dict) and holds(one) for one in listed)


def _are_messages(listed: Sequence[Any]) -> bool:
    # A table of samples may have a column `role`; a conversation has somebody who asks.
    roles = [_text(one.get("role")) for one in listed if isinstance(one, dict) and "content" in one]
    return bool(listed) and len(roles) == len(listed) and "user" in roles


def _export(form: str, found: Any) -> ChatExport:
    rows: list[tuple[int, dict[str, Any]]] = []
    seen: set[str] = set()
    silent, elsewhere, longer = 0, 0, 0
    for number, one in enumerate(found, start=1):
        messages = list(_merged(one.messages))
        asked = next((at for at, message in enumerate(messages) if message.role == "user"), None)
        if asked is None or not any(message.role == "assistant" for message in messages[asked:]) or one.id in seen:
            silent += 1
            continue
        seen |= {one.id} if one.id else set()
        elsewhere += one.elsewhere
        longer += sum(message.role == "user" for message in messages) > 1
        told = [{"role": message.role, "content": message.text} for message in messages]
        rows.append((number, {**({"id": one.id} if one.id else {}), "messages": told}))
    notes = [f"{len(rows)} conversations, of which {longer} have more than one question"]
    notes += [f"left out: {silent} without a question and an answer to it, or there twice"] if silent else []
    notes += (
        [f"of each the branch that was open last; {elsewhere} answers stand on other branches"] if elsewhere else []
    )
    return ChatExport(form, rows, tuple(notes))


def _merged(messages: Sequence[_Message]) -> Iterator[_Message]:
    held: _Message | None = None
    for one in messages:
        if held is not None and held.role == one.role:
            held = held._replace(text=f"{held.text}\n\n{one.text}")
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _plain(listed: Sequence[Mapping[str, Any]]) -> _Conversation:
    found = (_Message(_SENDERS.get(_text(one.get("role")), ""), _parts(one.get("content"))) for one in listed)
    return _Conversation("", [one for one in found if one.role and one.text])


def _of_chatgpt(conversation: Mapping[str, Any]) -> _Conversation:
    nodes = {name: node for name, node in conversation["mapping"].items() if isinstance(node, dict)}
    parents = {name: _text(node.get("parent")) for name, node in nodes.items()}
    said = {name: one for name, node in nodes.items() if (one := _said_by_chatgpt(node.get("message")))}
    last = _text(conversation.get("current_node"))
    if last not in nodes:
        last = max(nodes, key=lambda name: _time(nodes[name]), default="")
    name = _text(conversation.get("conversation_id")) or _text(conversation.get("id"))
    return _on_branch(name, said, parents, last)


def _said_by_chatgpt(message: Any) -> _Message | None:
    if not isinstance(message, dict):
        return None
    content, metadata, author = (_table(message.get(name)) for name in ("content", "metadata", "author"))
    role = _SENDERS.get(_text(author.get("role")), "")
    # What is addressed to a tool, and instructions that the page does not show, nobody said to anybody.
    hidden = metadata.get("is_visually_hidden_from_conversation") or _text(message.get("recipient")) not in ("", "all")
    if not role or role == "system" or hidden or _text(content.get("content_type")) not in _SPOKEN:
        return None
    text = _parts(content.get("parts"))
    return _Message(role, text) if text else None


def _of_claude(conversation: Mapping[str, Any]) -> _Conversation:
    said: dict[str, _Message] = {}
    parents: dict[str, str] = {}
    before = ""
    for number, one in enumerate(conversation["chat_messages"]):
        if not isinstance(one, dict):
            continue
        name = _text(one.get("uuid")) or str(number)
        # Older exports name no parents: there each message follows the one before it.
        parents[name] = _text(one.get("parent_message_uuid")) or before
        before = name
        text = _parts(one.get("content")) or _text(one.get("text"))
        if (role := _SENDERS.get(_text(one.get("sender")), "")) and text:
            said[name] = _Message(role, text)
    return _on_branch(_text(conversation.get("uuid")), said, parents, before)


def _on_branch(name: str, said: Mapping[str, _Message], parents: Mapping[str, str], last: str) -> _Conversation:
    """What was said from the root to the last message; a circle of parents ends where it closes."""
    branch: dict[str, None] = {}
    at = last
    while at in parents and at not in branch:
        branch[at] = None
        at = parents[at]
    messages = [said[one] for one in reversed(branch) if one in said]
    elsewhere = sum(one.role == "assistant" for key, one in said.items() if key not in branch)
    return _Conversation(name, messages, elsewhere)


def _time(node: Mapping[str, Any]) -> float:
    found = _table(node.get("message")).get("create_time")
    return float(found) if isinstance(found, int | float) else 0.0


def _parts(content: Any) -> str:
    """A text, or the texts among the parts of a message; pictures and files are left out."""
    listed = content if isinstance(content, list) else [content]
    texts = (
        _text(one.get("text")) if isinstance(one, dict) and one.get("type", "text") == "text" else _text(one)
        for one in listed
    )
    return "\n".join(one for one in texts if one).strip()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
