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

  const told = {
    409: () => { state.textContent = form.dataset.taken; form.removeAttribute("data-draft"); return true; },
    401: () => { state.textContent = form.dataset.signedOut; return false; },
  };
  const kept = async () => {
    try {
      const answer = await fetch(form.dataset.draft, { method: "POST", body: new FormData(form) });
      const act = told[answer.redirected ? 401 : answer.status];
      if (act) return act();
      if (answer.ok) {
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
    if ((dirty || more()) && !sent && form.dataset.draft) navigator.sendBeacon(form.dataset.draft, new FormData(form));
  });
  return {
    /** Keep what was just written, soon. */
    later() {
      dirty = true;
      if (state.textContent !== form.dataset.taken) state.textContent = "";
      plan(SOON);
    },
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
