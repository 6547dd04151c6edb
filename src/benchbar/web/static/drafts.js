"use strict";
// Drafts of a form, saved while one writes: one request at a time, the latest text last.
// `prepare` fills in fields before the form is sent; `more` says whether there is something to keep although nothing was written.
window.keepDrafts = (form, state, { prepare = () => {}, more = () => false } = {}) => {
  const SOON = 800;
  // A server that is down is not asked every second by everybody.
  const AFTER_FAILURE = 5000;
  let due = null;
  let saving = false;
  let dirty = false;
  let sent = false;

  // A page that is asked for again may come before its last draft has arrived. What is not known to be kept is left to this tab, and
  // goes back into the form where nobody wrote elsewhere meanwhile. Fields of ours change by themselves.
  const OURS = new Set(["csrf", "seconds", "visit"]);
  const place = `benchbar-draft ${form.dataset.draft}`;
  const written = () => JSON.stringify([...new FormData(form)].filter(([name]) => !OURS.has(name)));
  // The browser's own memory of fields would mix with what the server kept.
  form.setAttribute("autocomplete", "off");
  const served = written();
  let known = [served];
  const remember = () => {
    try {
      if (dirty || saving) sessionStorage.setItem(place, JSON.stringify({ text: written(), known }));
    } catch (_) { /* Without storage, or with a full one, the draft that is sent along is all there is. */ }
  };
  const remembered = () => {
    try {
      const found = JSON.parse(sessionStorage.getItem(place));
      sessionStorage.removeItem(place);
      return found && found.text !== served && found.known.includes(served) ? JSON.parse(found.text) : null;
    } catch (_) { return null; }
  };
  const fill = (entries) => {
    const values = (name) => entries.filter((one) => one[0] === name).map((one) => one[1]);
    for (const name of new Set([...form.elements].map((one) => one.name))) {
      const given = values(name);
      for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "radio" || field.type === "checkbox") field.checked = given.includes(field.value);
        else if (field.type !== "hidden" && field.type !== "submit") field.value = given.shift() ?? "";
      }
    }
    // Lists of hidden fields are made by whoever draws them.
    form.dispatchEvent(new CustomEvent("restored", { detail: values }));
  };

  const told = {
    409: () => { state.textContent = form.dataset.taken; form.removeAttribute("data-draft"); return true; },
    401: () => { state.textContent = form.dataset.signedOut; return false; },
  };
  const kept = async () => {
    const text = written();
    // The server may show what it was sent, though no answer came.
    known.push(text);
    try {
      const answer = await fetch(form.dataset.draft, { method: "POST", body: new FormData(form) });
      const act = told[answer.redirected ? 401 : answer.status];
      if (act) return act();
      if (answer.ok) {
        known = [text];
        // "Saved" stands there only while it is true of everything that was written.
        if (!dirty) state.textContent = form.dataset.saved;
        return true;
      }
    } catch (_) { /* No network: as after a fault of the server. */ }
    state.textContent = form.dataset.unsaved;
    return false;
  };
  const plan = (wait) => { if (due === null) due = setTimeout(save, wait); };
  async function save() {
    due = null;
    if (saving || !form.dataset.draft) return;
    dirty = false;
    saving = true;
    prepare();
    const well = await kept();
    saving = false;
    dirty = dirty || !well;
    if (dirty) plan(well ? SOON : AFTER_FAILURE);
  }

  window.addEventListener("pagehide", () => {
    prepare();
    if (sent || !form.dataset.draft) return;
    remember();
    // A request that is under way ends with the page, whether it has arrived or not.
    if (dirty || saving || more()) navigator.sendBeacon(form.dataset.draft, new FormData(form));
  });
  const later = () => {
    dirty = true;
    if (state.textContent !== form.dataset.taken) state.textContent = "";
    plan(SOON);
  };
  const left = form.dataset.draft ? remembered() : null;
  if (left) { fill(left); later(); }
  return {
    /** Keep what was just written, soon. */
    later,
    /** Keep it now, unless that is about to happen anyway. */
    now() { if (due === null) save(); },
    /** Whether a form may be sent: once, and no draft follows it. */
    sends(event) {
      if (sent) { event.preventDefault(); return false; }
      sent = true;
      if (due !== null) clearTimeout(due);
      prepare();
      return true;
    },
    /** After the browser's "back" the form may be sent again. */
    again() { sent = false; },
  };
};
