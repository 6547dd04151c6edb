"use strict";
// What every page shares: links that are shown once are selected with one click.
(() => {
  document.addEventListener("focusin", (event) => {
    if (event.target.matches && event.target.matches("input.link")) event.target.select();
  });
})();
