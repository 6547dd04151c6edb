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

  const text = document.getElementById("charts").textContent;
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Colours come from the style sheet; data is left alone, whatever it says.
  function painted(value, key) {
    if (key === "data" || key === "datasets") return value;
    if (Array.isArray(value)) return value.map((one) => painted(one));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, painted(one, name)]));
    }
    const found = typeof value === "string" && /^var\((--[a-z0-9-]+)\)$/.exec(value);
    return found ? color(found[1]) : value;
  }

  function look(labels) {
    const font = color("--font");
    const words = { labelFont: font, titleFont: font, labelColor: color("--ink"), titleColor: color("--muted"), labelFontSize: 12.5, titleFontSize: 12.5, titleFontWeight: 400 };
    return {
      background: null, font, view: { stroke: null }, text: { font },
      axis: { ...words, gridColor: color("--line"), domainColor: color("--line"), tickColor: color("--line"), labelPadding: 6 },
      axisY: { labelLimit: labels }, axisX: { labelLimit: 160 },
      legend: words,
    };
  }

  let drawn = false;
  function draw(again) {
    if (drawn && !again) return;
    if (document.querySelector(".sample:target")) return;
    drawn = true;
    const specifications = JSON.parse(text);
    for (const place of document.querySelectorAll(".chart")) {
      const specification = painted(specifications[place.dataset.chart]);
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
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(true));
  filter();
  opened();
})();
