"use strict";
// Passages of an answer: selected, marked by one key or button, shown in the text, and kept with the form.
(() => {
  const form = document.getElementById("mark");
  const marker = document.getElementById("marker");
  const list = document.getElementById("spans");
  if (!form || !marker || !list) return;
  const MOST = 30;
  const LONGEST = 1000;
  const buttons = [...marker.querySelectorAll("button[data-span]")];
  const labels = new Map(buttons.map((one) => [one.dataset.span, one.firstChild.textContent.trim()]));
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const fields = () => [...form.querySelectorAll('input[name="span"]')];
  let chosen = null;

  const answerOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement).closest(".said.assistant > div");
  const selected = () => {
    const selection = window.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0).cloneRange();
    const answer = answerOf(range.startContainer);
    if (!answer) return null;
    // Three clicks select to the beginning of what follows.
    if (answerOf(range.endContainer) !== answer) range.setEnd(answer, answer.childNodes.length);
    const quote = plain(range.toString());
    const said = answer.parentElement;
    if (!quote || quote.length > LONGEST) return null;
    return { side: Number(said.dataset.side), turn: Number(said.dataset.turn), quote };
  };

  // The passage in the text: its letters without blanks, which stand elsewhere than in the selection where cells and paragraphs end.
  const rangeOf = (span) => {
    const answer = form.querySelector(`.said[data-side="${Number(span.side)}"][data-turn="${Number(span.turn)}"] > div`);
    if (!answer) return null;
    const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
    const places = [];
    let letters = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      [...node.data].reduce((at, letter) => {
        if (letter.trim()) { for (let unit = 0; unit < letter.length; unit += 1) places.push([node, at + unit]); letters += letter; }
        return at + letter.length;
      }, 0);
    }
    const wanted = span.quote.replace(/\s+/g, "");
    const found = letters.indexOf(wanted);
    if (found < 0) return null;
    const range = new Range();
    range.setStart(...places[found]);
    const [last, place] = places[found + wanted.length - 1];
    range.setEnd(last, place + 1);
    return range;
  };

  const draw = () => {
    list.replaceChildren();
    const ranges = { good: [], bad: [] };
    fields().forEach((field) => {
      const span = JSON.parse(field.value);
      const item = document.createElement("li");
      const kind = document.createElement("span");
      kind.className = "tag";
      kind.textContent = labels.get(span.kind) || span.kind;
      const quote = document.createElement("q");
      quote.textContent = span.quote.length > 90 ? `${span.quote.slice(0, 90)}…` : span.quote;
      const remove = document.createElement("button");
      remove.type = "button";
      remove.className = "quiet";
      remove.textContent = "×";
      remove.setAttribute("aria-label", `${list.dataset.remove}: ${kind.textContent}`);
      remove.addEventListener("click", () => { field.remove(); draw(); changed(); });
      item.append(kind, quote, remove);
      list.append(item);
      const range = rangeOf(span);
      if (range) ranges[span.kind === "good" ? "good" : "bad"].push(range);
    });
    document.getElementById("no-spans").hidden = list.children.length > 0;
    if (!window.CSS || !CSS.highlights) return;
    CSS.highlights.set("passage-good", new Highlight(...ranges.good));
    CSS.highlights.set("passage-bad", new Highlight(...ranges.bad));
  };
  const changed = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  const fieldOf = (value) => {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "span";
    field.value = value;
    return field;
  };
  form.addEventListener("restored", (event) => {
    fields().forEach((one) => one.remove());
    list.after(...event.detail("span").map(fieldOf));
    draw();
  });
  const mark = (kind) => {
    if (!chosen || fields().length >= MOST) return;
    const field = fieldOf(JSON.stringify({ side: chosen.side, turn: chosen.turn, kind, quote: chosen.quote }));
    if (!fields().some((one) => one.value === field.value)) list.after(field);
    window.getSelection().removeAllRanges();
    draw();
    changed();
  };

  document.addEventListener("selectionchange", () => {
    chosen = selected();
    marker.hidden = !chosen;
  });
  // A press on a button would end the selection that it is about.
  marker.addEventListener("pointerdown", (event) => event.preventDefault());
  buttons.forEach((one) => one.addEventListener("click", () => mark(one.dataset.span)));
  document.addEventListener("keydown", (event) => {
    const keysOn = document.getElementById("keys-on");
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey || (keysOn && !keysOn.checked)) return;
    const button = buttons.find((one) => one.dataset.key === event.key);
    if (!button) return;
    event.preventDefault();
    // While something is selected its keys go before those of the form.
    event.stopImmediatePropagation();
    mark(button.dataset.span);
  });
  draw();
})();
