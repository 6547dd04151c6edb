"use strict";
// How far a run is, told by the server while it goes on.
(() => {
  for (const place of document.querySelectorAll("[data-progress]")) {
    const source = new EventSource(place.dataset.progress);
    const show = (event) => {
      const told = JSON.parse(event.data);
      const bar = place.querySelector("progress");
      if (bar) bar.value = told.share;
      for (const field of place.querySelectorAll("[data-shown]")) {
        const text = told.shown[field.dataset.shown];
        if (text !== undefined) field.textContent = text;
      }
    };
    source.addEventListener("progress", show);
    source.addEventListener("end", (event) => {
      show(event);
      source.close();
      if (place.dataset.reload) location.reload();
    });
    window.addEventListener("pagehide", () => source.close());
  }
})();
