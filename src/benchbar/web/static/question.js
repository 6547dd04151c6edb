"use strict";
// Answering as an assistant: drafts that are saved while one writes, and the seconds of work on the question.
(() => {
  const form = document.getElementById("answer");
  if (!form) return;
  const state = document.getElementById("state");
  const text = form.elements.namedItem("text");

  // Work is the time in which the page is in front and somebody wrote, scrolled or moved within the last minute:
  // reading needs no longer to show itself, and lunch does not count. See docs/lawyer-baseline.md.
  const IDLE = 60000;
  const STEP = 1000;
  const visit = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
  let seconds = 0;
  let last = performance.now();
  let acted = last;
  const act = () => { acted = performance.now(); };
  ["keydown", "pointermove", "pointerdown", "scroll", "wheel", "focus"].forEach((one) => window.addEventListener(one, act, { passive: true, capture: true }));
  const count = () => {
    const now = performance.now();
    // A machine that slept wakes with one long step: none of it was work.
    if (!document.hidden && now - acted < IDLE && now - last < 5 * STEP) seconds += (now - last) / 1000;
    last = now;
  };
  setInterval(count, STEP);
  document.addEventListener("visibilitychange", () => { count(); if (!document.hidden) act(); });
  const timed = () => {
    count();
    document.querySelectorAll('input[name="seconds"]').forEach((one) => { one.value = seconds.toFixed(1); });
    document.querySelectorAll('input[name="visit"]').forEach((one) => { one.value = visit; });
  };
  timed();

  let reported = 0;
  const drafts = window.keepDrafts(form, state, {
    prepare: () => { timed(); reported = seconds; },
    // Reading is work as well, and is kept though nothing is written.
    more: () => true,
  });
  text.addEventListener("input", drafts.later);
  setInterval(() => { count(); if (seconds - reported >= 10) drafts.now(); }, 10000);
  document.querySelectorAll("form[data-timed]").forEach((one) => one.addEventListener("submit", drafts.sends));
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
  });
  document.querySelectorAll("button[data-timed]").forEach((one) => { one.disabled = false; });
  form.dataset.ready = "yes";
})();
