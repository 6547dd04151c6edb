"""One question to the consultant of law and practice: `benchbar.ask`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.assistants.consultation import Consultation
from benchbar.assistants.law_practice import BUDGET, assemble
from benchbar.clients.session import blocking, open_session
from benchbar.languages.packs import pack
from benchbar.languages.text import detect_language
from benchbar.law.bundled import bundled_laws
from benchbar.records.errors import UserError
from benchbar.retrieval.corpus import CorpusIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchbar.clients import Endpoint
    from benchbar.retrieval.settings import RetrievalSettings

BUNDLED = {language: f"model-jurisdiction-{language}" for language in ("zh", "ru", "en")}
"""The suite whose law answers questions in a language where no other is named: invented jurisdictions."""


async def ask_async(
    question: str,
    *,
    law: CorpusIndex | Path | str | None = None,
    labels: Collection[str] = (),
    model: Endpoint | None = None,
    form: str = "general",
    rewrite: bool = False,
    budget: int = BUDGET,
    retrieval: RetrievalSettings | None = None,
    on: str | None = None,
    ledger: Path | str | None = None,
    on_text: Callable[[str], None] | None = None,
) -> Consultation:
    """The same as ``ask``, for callers whose event loop runs already."""
    if rewrite and model is None:
        raise UserError("to put the question in other words a model is needed: name one")
    index = (
        law
        if isinstance(law, CorpusIndex)
        else CorpusIndex.open(Path(law) if law else bundled_law(question), labels=labels)
    )
    retrieval = index.usual_settings() if retrieval is None else retrieval
    if model is None and retrieval.retriever != "embeddings":
        return await assemble(index, settings=retrieval, form=form, budget=budget, on=on).consult(question)
    from benchbar.clients.streaming import ON_TEXT

    async with open_session(ledger) as session:
        chat = None if model is None else session.chat(model)
        # In this task alone: another question asked meanwhile has a listener of its own.
        ON_TEXT.set(on_text)
        rewriter = chat if rewrite else None
        consultant = assemble(
            index,
            settings=retrieval,
            generator=chat,
            rewriter=rewriter,
            form=form,
            budget=budget,
            on=on,
            asking=session.embedding,
        )
        return await consultant.consult(question)


@blocking(ask_async)
def ask(answer: Consultation) -> Consultation:  # noqa: D417 - its arguments are those of ask_async
    """The answer to a legal question, from statutes and court practice, with sources that can be looked up.

    Args:
        question: in Chinese, Russian or English.
        law: a folder made by `benchbar law index`, or one that was opened; left out, the bundled model jurisdiction in the
            language of the question.
        labels: access labels of whoever asks: documents with another one are left out. An index that was opened keeps those
            that it was opened with.
        model: writes the answer; left out, it is put together from quotations.
        form: ``general`` opinion, or preparation for ``trial``.
        rewrite: let the model put the question in other words; else that is done by rule.
        budget: tokens of passages, about, that the answer is written from.
        retrieval: settings of the search; left out, those that `law tune` chose, else the usual ones; silent where the law at hand does not answer.
        on: the day (YYYY-MM-DD) whose law is searched; left out, today.
        ledger: a file that keeps calls, so that none is paid twice; left out, they are forgotten.
        on_text: given a model's text as it comes; an empty text means that it begins anew.

    Raises:
        UserError: a setting does not fit; or an event loop runs here already.
        ModelError: a model was asked and did not answer.

    Example:
        >>> answer = benchbar.ask("试用期最长可以约定多久？")
        >>> answer.articles[0].citation
        '《劳动契约法》第八条'
        >>> local = benchbar.Endpoint(model="qwen3", base_url="http://127.0.0.1:8000/v1")  # for model=local
    """
    return answer


def bundled_suite(question: str) -> str:
    """The name of the bundled suite whose law is in the language of a question; the English one where none is."""
    return BUNDLED.get(pack(detect_language(question)).root, BUNDLED["en"])


def bundled_law(question: str) -> Path:
    """The invented law that answers a question where no other law is named."""
    return bundled_laws()[bundled_suite(question)]
