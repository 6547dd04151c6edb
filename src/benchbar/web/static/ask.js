"use strict";
// The answer as it is written. Without this script the form works as well, and the answer comes as a page.
(() => {
  const form = document.getElementById("ask");
  if (!form || !window.ReadableStream) return;
  const told = document.getElementById("told");
  const working = document.getElementById("working");
  const writing = document.getElementById("writing");
  const answer = document.getElementById("answer");
  const button = form.querySelector("button.main");
  const QUIET = 30000;
  let text = "";
  let asked = "";
  let silence = 0;

  // Whoever wrote the next question meanwhile keeps it.
  const emptied = () => { const box = form.elements.question; if (box.value === asked) box.value = ""; };
  const show = (problem) => { told.textContent = problem; told.hidden = !problem; };
  const shown = () => text.replace(/\[\[\s{0,3}(RULE|PRACTICE|CONCLUSION)\s{0,3}\]\]/gi, (_, name) => `\n${form.dataset[name.toLowerCase()]}\n`).replace(/\[\[?[\sA-Z]*\]?$/i, "").trim();
  // A model that has said nothing for half a minute may be slow or gone: whoever waits is told that nobody knows yet.
  const heard = (status) => {
    clearTimeout(silence);
    working.textContent = form.dataset[status];
    silence = setTimeout(() => { working.textContent = form.dataset.waiting; }, QUIET);
  };
  const does = {
    text: (data) => { text += data; writing.hidden = false; writing.textContent = shown(); heard("working"); },
    // Nothing is gone without a word: what was written before stays until the first new piece.
    again: () => { heard(text ? "again" : "working"); text = ""; },
    // Our own page's template made it: everything in it is escaped or sanitised there.
    answer: (html) => { writing.hidden = true; emptied(); answer.innerHTML = html; answer.focus(); opened(); },
    problem: (data) => { writing.hidden = true; show(data); },
  };
  const read = async (body) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let ended = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return ended;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const name = /^event: (\w+)$/m.exec(event);
        const data = /^data: (.*)$/m.exec(event);
        if (!name || !data || !does[name[1]]) continue;
        ended = ended || name[1] === "answer" || name[1] === "problem";
        does[name[1]](JSON.parse(data[1]));
      }
    }
  };
  form.addEventListener("submit", async (event) => {
    // The button of the document posts the same form to another address, and the browser downloads what comes.
    if (event.submitter !== button) return;
    event.preventDefault();
    show("");
    text = "";
    asked = form.elements.question.value;
    writing.textContent = "";
    writing.hidden = true;
    // What was answered before stays until the next answer is whole: it is also what the conversation goes on from.
    const fields = new FormData(form);
    button.disabled = true;
    heard("working");
    working.hidden = false;
    try {
      const got = await fetch("/ask", { method: "POST", body: fields, headers: { accept: "text/event-stream" } });
      if (!got.ok) show((await got.json()).detail);
      else if (!(await read(got.body))) show(form.dataset.lost);
    } catch (_) {
      show(form.dataset.lost);
    }
    clearTimeout(silence);
    working.hidden = true;
    button.disabled = false;
  });
  // A citation leads to its source, which opens.
  const opened = () => {
    answer.querySelectorAll("a.cite").forEach((link) => link.addEventListener("click", () => {
      const target = document.getElementById(link.getAttribute("href").slice(1));
      if (target && "open" in target) target.open = true;
    }));
  };
  opened();
})();
