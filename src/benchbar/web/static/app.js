"use strict";
// What every page shares.
(() => {
  // A link that is shown once is selected with one click.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches && event.target.matches("input.link, textarea[readonly]")) event.target.select();
  });
  // Choosing in a list is enough; the button is for those without scripts, for boxes and texts, and for the keyboard: each arrow
  // changes the choice, and would lead away before the wanted one is reached.
  let typed = false;
  document.addEventListener("keydown", () => { typed = true; }, true);
  document.addEventListener("pointerdown", () => { typed = false; }, true);
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submit-on-change]");
    if (form && event.target.matches("select") && !typed) form.requestSubmit();
  });
  // Fields that say nothing do not make the address longer.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-submit-on-change]")) return;
    for (const field of event.target.elements) if (field.name && !field.value) field.disabled = true;
  });
  // One box ticks the others of its table.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-tick-all]")) return;
    for (const box of event.target.closest("table").querySelectorAll("tbody input[type=checkbox]")) box.checked = event.target.checked;
  });
  // A browser saves what it prints as a PDF; no library of ours does it better.
  document.addEventListener("click", (event) => {
    if (event.target.closest && event.target.closest("[data-print]")) window.print();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    // Browsers give the clipboard to pages behind TLS alone; elsewhere the text stays selected for Ctrl+C.
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(() => { button.textContent = button.dataset.done; });
  });
  window.addEventListener("pageshow", () => {
    for (const field of document.querySelectorAll("form[data-submit-on-change] :disabled")) field.disabled = false;
  });
})();
