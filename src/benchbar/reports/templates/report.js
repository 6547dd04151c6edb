"use strict";
(() => {
  const main = document.getElementById("overview");
  const page = document.getElementById("page");
  const languages = document.getElementById("languages");
  const overviews = { [document.documentElement.lang]: { title: document.title, overview: main.innerHTML } };
  const packed = unpacked();
  let left = "";

  // The first line holds the words of every language, each further one the page of a sample. All of it is HTML that was
  // escaped when it was written; words of phrases are set as text.
  async function unpacked() {
    const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const [head, ...pages] = (await new Response(stream).text()).split("\n");
    const found = JSON.parse(head);
    Object.assign(overviews, found.overviews);
    return { languages: found.languages, phrases: found.phrases, pages: new Map(found.pages.map((id, at) => [id, pages[at]])) };
  }

  const rows = () => [...main.querySelectorAll("#list tbody tr")];
  const chosen = () => ["by-task", "by-result"].map((id) => main.querySelector(`#${id}`));

  function filter() {
    const [task, result] = chosen().map((one) => one.value);
    for (const row of rows()) {
      const fits = !result || row.dataset.result.split(" ").includes(result);
      row.hidden = !(fits && (!task || row.dataset.task === task));
    }
    const shown = main.querySelector("#shown");
    const open = rows().filter((row) => !row.hidden).length;
    shown.textContent = shown.dataset.text.replace("%shown%", open).replace("%total%", rows().length);
  }

  // What needs a script is offered where one runs.
  function offer() {
    main.querySelector("#unreadable").hidden = true;
    main.querySelector("#filters").hidden = false;
    filter();
  }

  async function speak(language) {
    const { languages: known, phrases } = await packed;
    const was = chosen().map((one) => one.value);
    document.documentElement.lang = language;
    document.title = overviews[language].title;
    main.innerHTML = overviews[language].overview;
    chosen().forEach((one, at) => { one.value = was[at]; });
    for (const one of languages.children) one.ariaPressed = String(one.value === language);
    fill(page, phrases, known.indexOf(language));
    offer();
  }

  function fill(place, phrases, at) {
    for (const one of place.querySelectorAll("[data-phrase]")) one.textContent = phrases[one.dataset.phrase][at];
  }

  // Next and previous lead through the samples that the filters left.
  function link(id) {
    const open = rows().filter((row) => !row.hidden && row.dataset.page).map((row) => row.dataset.page);
    const at = open.indexOf(id);
    for (const [name, next] of [["previous", open[at - 1]], ["next", open[at + 1]]]) {
      const anchor = page.querySelector(`.leaf .${name}`);
      anchor.hidden = at < 0 || !next;
      if (next) anchor.hash = next;
    }
  }

  async function opened() {
    const { languages: known, phrases, pages } = await packed;
    const id = location.hash.slice(1);
    main.hidden = pages.has(id);
    page.hidden = !main.hidden;
    if (main.hidden) {
      page.innerHTML = JSON.parse(pages.get(id));
      fill(page, phrases, known.indexOf(document.documentElement.lang));
      link(id);
      left = id;
      window.scrollTo(0, 0);
      page.focus({ preventScroll: true });
      return;
    }
    page.replaceChildren();
    // Back to the row that one came from, else to where the address points: it was hidden when the browser looked for it.
    const row = id === "samples" && left && main.querySelector(`a[href="#${left}"]`);
    if (row) {
      row.scrollIntoView({ block: "center" });
      row.focus({ preventScroll: true });
    } else if (left) {
      document.getElementById(id)?.scrollIntoView();
    }
    left = "";
  }

  function leaf(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || page.hidden) return;
    if (event.target.closest("select, input, textarea")) return;
    const name = { ArrowRight: "next", ArrowLeft: "previous", Escape: "back" }[event.key];
    const anchor = name && page.querySelector(`.leaf .${name}`);
    if (anchor && !anchor.hidden) {
      event.preventDefault();
      location.hash = anchor.hash;
    }
  }

  if (!window.DecompressionStream) return;
  offer();
  languages.hidden = false;
  languages.addEventListener("click", (event) => { if (event.target.value) speak(event.target.value); });
  main.addEventListener("change", filter);
  main.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", leaf);
  window.addEventListener("hashchange", opened);
  opened();
})();
