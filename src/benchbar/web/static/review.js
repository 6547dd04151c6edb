"use strict";
// Marking by keyboard, drafts that are saved while one writes, and the time that a task was looked at.
(() => {
  const form = document.getElementById("mark");
  if (!form) return;
  const state = document.getElementById("state");
  const skipping = document.getElementById("skipping");
  const keys = document.getElementById("keys");
  const keysOn = document.getElementById("keys-on");
  const score = form.elements.namedItem("score");
  const criteria = [...form.querySelectorAll('input[name="criterion"]')];

  // Time in front of the page, not time with the page open somewhere.
  let seen = 0;
  let since = document.hidden ? null : performance.now();
  const looked = () => seen + (since === null ? 0 : performance.now() - since);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && since !== null) { seen += performance.now() - since; since = null; }
    else if (!document.hidden && since === null) since = performance.now();
  });

  const timer = document.getElementById("timer");
  if (timer) {
    const tell = () => {
      const seconds = Math.floor(looked() / 1000);
      timer.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    };
    setInterval(tell, 1000);
  }

  const drafts = window.keepDrafts(form, state);
  // Whoever reads for long keeps the task, too.
  setInterval(() => { if (!document.hidden) drafts.later(); }, 120000);

  const number = (input) => (input.value.trim() === "" ? null : Number(input.value));
  const add = () => {
    const given = criteria.map(number);
    if (criteria.length && given.every((one) => one !== null)) score.value = String(given.reduce((a, b) => a + b, 0));
  };
  form.addEventListener("input", (event) => {
    if (criteria.includes(event.target)) add();
    if (event.target === score) criteria.forEach((one) => { one.value = ""; });
    drafts.later();
  });

  form.addEventListener("submit", (event) => {
    const seconds = form.elements.namedItem("seconds");
    if (drafts.sends(event) && seconds) seconds.value = (looked() / 1000).toFixed(1);
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) drafts.again(); });

  const key = "benchbar-keys";
  if (keysOn) {
    keysOn.checked = localStorage.getItem(key) !== "off";
    keysOn.addEventListener("change", () => localStorage.setItem(key, keysOn.checked ? "on" : "off"));
  }
  const fold = document.getElementById("fold");
  if (fold) {
    // Whoever folded the sheet away to read means the next task, too.
    fold.checked = localStorage.getItem("benchbar-fold") === "on";
    fold.addEventListener("change", () => localStorage.setItem("benchbar-fold", fold.checked ? "on" : "off"));
  }
  const send = () => form.requestSubmit();
  const choose = (one) => {
    if (!one) return;
    one.checked = one.type === "radio" ? true : !one.checked;
    one.focus();
    follow(one);
    drafts.later();
  };
  // A type of error says that the answer is "wrong", and any other answer has no error.
  const follow = (one) => {
    if (one.name === "error") form.querySelector('input[name="choice"][value="wrong"]').checked = true;
    if (one.name === "choice" && one.value !== "wrong") form.querySelectorAll('input[name="error"]').forEach((error) => { error.checked = false; });
  };
  form.addEventListener("change", (event) => follow(event.target));
  const writing = (target) => target.matches("textarea, input:not([type=radio]):not([type=checkbox])");
  const does = {
    r: () => form.elements.namedItem("reason").focus(),
    g: () => {
      const asked = document.getElementById("asked");
      const first = asked || form.querySelector('input[name="met"]');
      if (asked) asked.scrollIntoView({ block: "start" });
      if (first) first.focus({ preventScroll: Boolean(asked) });
    },
    l: () => { const law = document.getElementById("law"); if (law) { law.open = !law.open; law.querySelector("summary").focus(); } },
    h: () => { const told = document.getElementById("guidelines"); if (told) { told.open = !told.open; told.querySelector("summary").focus(); } },
    u: () => { const last = document.getElementById("last"); if (last) last.click(); },
    s: () => { if (skipping) { skipping.open = true; skipping.querySelector("input[name=reason]").focus(); } },
    "?": () => { keys.open = !keys.open; },
    c: () => choose(form.querySelector('input[name="choice"][value="cannot"]')),
  };
  form.querySelectorAll("input[data-key]").forEach((one) => { does[one.dataset.key] = () => choose(one); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); send(); return; }
    if (event.key === "Escape" && event.target.matches("input, textarea")) { event.target.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || (keysOn && !keysOn.checked) || writing(event.target)) return;
    if (event.key === "Enter" && !event.target.matches("button, a, summary")) { event.preventDefault(); send(); return; }
    if (/^[0-9]$/.test(event.key) && score) {
      // The first digit of a grade goes where the grade stands.
      score.value = "";
      score.focus();
      return;
    }
    const act = does[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  form.dataset.ready = "yes";
})();
