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
    const one = new DataTransfer();
    one.items.add(event.dataTransfer.files[0]);
    over.files = one.files;
    // Whoever opened the further fields is not done yet.
    if (!how.open) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    if (inputs.some((input) => input.files.length && input.files[0].size > Number(form.dataset.most))) {
      event.preventDefault();
      working.textContent = form.dataset.large;
      return;
    }
    working.textContent = button.dataset.working;
    button.disabled = true;
  });
  window.addEventListener("pageshow", () => { button.disabled = false; working.textContent = ""; });
})();
