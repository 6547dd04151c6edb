"use strict";
// A file may be dropped anywhere on the field; without this script it is chosen.
(() => {
  const form = document.getElementById("drop");
  if (!form) return;
  const inputs = [...form.querySelectorAll("input[type=file]")];
  const how = form.querySelector("details");
  const working = document.getElementById("working");
  const button = form.querySelector("button");
  ["dragover", "dragenter"].forEach((name) => form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); }));
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    const over = inputs.includes(event.target) ? event.target : inputs[0];
    const dropped = [...event.dataTransfer.files];
    const rest = inputs.find((input) => input.multiple);
    fill(over, over.multiple ? dropped : dropped.slice(0, 1));
    // None of several files is lost without a word: they lie in the field of further ones, to be looked at before they are sent.
    if (!over.multiple && rest && dropped.length > 1) {
      fill(rest, dropped.slice(1));
      how.open = true;
    }
    // Whoever opened the further fields is not done yet.
    if (!how.open) form.requestSubmit();
  });
  const fill = (input, files) => {
    const all = new DataTransfer();
    files.forEach((file) => all.items.add(file));
    input.files = all.files;
  };
  form.addEventListener("submit", (event) => {
    const sizes = inputs.flatMap((input) => [...input.files]).map((file) => file.size);
    const size = form.dataset.together ? sizes.reduce((sum, one) => sum + one, 0) : Math.max(0, ...sizes);
    const large = size > Number(form.dataset.most);
    working.className = large ? "warning" : "muted";
    if (large) {
      event.preventDefault();
      working.textContent = form.dataset.large;
      return;
    }
    working.textContent = button.dataset.working;
    button.disabled = true;
  });
  window.addEventListener("pageshow", () => { button.disabled = false; working.textContent = ""; });
})();
