"use strict";
(() => {
  const list = [...document.querySelectorAll("#list tbody tr")];
  const filters = document.getElementById("filters");
  const byTask = document.getElementById("by-task");
  const byResult = document.getElementById("by-result");
  const shown = document.getElementById("shown");

  function filter() {
    const token = byResult.selectedOptions[0].dataset.token;
    for (const row of list) {
      const fits = !token || row.dataset.result.split(" ").includes(token);
      row.hidden = !(fits && (!byTask.value || row.dataset.task === byTask.value));
    }
    const left = list.filter((row) => !row.hidden).length;
    shown.textContent = shown.dataset.text.replace("%shown%", left).replace("%total%", list.length);
    link();
  }

  // Next and previous lead through the samples that the filters left; without JavaScript through all.
  function link() {
    const open = list.filter((row) => !row.hidden && row.dataset.page).map((row) => row.dataset.page);
    const here = location.hash.slice(1);
    const page = document.querySelector(".sample:target");
    if (!page) return;
    const at = open.indexOf(here);
    if (at < 0) return;
    for (const [name, id] of [["previous", open[at - 1]], ["next", open[at + 1]]]) {
      const anchor = page.querySelector(`.leaf .${name}`);
      if (!anchor) continue;
      anchor.hidden = !id;
      if (id) anchor.hash = id;
    }
  }

  function leaf(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("select, input, textarea")) return;
    const name = { ArrowRight: "next", ArrowLeft: "previous", Escape: "back" }[event.key];
    const page = document.querySelector(".sample:target");
    if (!name || !page) return;
    const anchor = page.querySelector(`.leaf .${name}`);
    if (anchor && !anchor.hidden) {
      event.preventDefault();
      location.hash = anchor.hash;
    }
  }

  function opened() {
    const page = document.querySelector(".sample:target");
    if (page) {
      link();
      window.scrollTo(0, 0);
      page.focus({ preventScroll: true });
    } else {
      draw();
    }
  }

  // Colours are CSS variables, so that light, dark and print need no drawing anew; the font has to be measured.
  function look(labels) {
    const body = getComputedStyle(document.body);
    const font = body.fontFamily;
    const size = 0.8 * parseFloat(body.fontSize);
    const words = {
      labelFont: font, titleFont: font, labelFontSize: size, titleFontSize: size, titleFontWeight: 400,
      labelColor: "var(--ink)", titleColor: "var(--muted)",
    };
    const line = "var(--line)";
    return {
      background: null, font, view: { stroke: null }, text: { font },
      axis: { ...words, gridColor: line, domainColor: line, tickColor: line, labelPadding: 6 },
      axisY: { labelLimit: labels }, axisX: { labelLimit: 160 }, legend: words,
    };
  }

  let drawn = false;
  function draw() {
    if (drawn) return;
    drawn = true;
    const specifications = JSON.parse(document.getElementById("charts").textContent);
    for (const place of document.querySelectorAll(".chart")) {
      const specification = specifications[place.dataset.chart];
      const inner = document.createElement("div");
      const labels = place.clientWidth < 520 ? 110 : 310;
      inner.style.minWidth = `${specification.usermeta.columns && labels + 90 * specification.usermeta.columns}px`;
      place.replaceChildren(inner);
      vegaEmbed(inner, specification, {
        ast: true, actions: false, renderer: "svg", defaultStyle: false, config: look(labels),
        tooltip: { disableDefaultStyle: true, theme: "custom" },
      }).catch((error) => { inner.textContent = String(error); });
    }
  }

  filters.hidden = false;
  filters.addEventListener("change", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", leaf);
  window.addEventListener("hashchange", opened);
  filter();
  opened();
})();
