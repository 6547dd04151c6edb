"use strict";
// Leafing by keyboard, and the text of the law beside a citation.
(() => {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape" && !panel.hidden) { hide(); return; }
    if (event.target.closest("input, textarea, select, .columns, .scroll")) {
      if (event.key !== "Escape") return;
    }
    const name = { ArrowRight: "next", ArrowLeft: "previous", Escape: "back" }[event.key];
    const link = name && document.querySelector(`.leaf .${name}`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });

  const panel = document.getElementById("hover");
  let shown = null;

  function show(link) {
    const target = document.getElementById(link.hash.slice(1));
    if (!target || shown === link) return;
    shown = link;
    // Text nodes alone are copied, in elements that were escaped on the server.
    panel.replaceChildren(...[...target.childNodes].map((node) => node.cloneNode(true)));
    panel.className = `hover cited ${target.className}`;
    panel.hidden = false;
    const at = link.getBoundingClientRect();
    const width = Math.min(460, window.innerWidth - 16);
    panel.style.width = `${width}px`;
    panel.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
    const below = at.bottom + 6 + panel.offsetHeight < window.innerHeight || at.top < panel.offsetHeight + 6;
    panel.style.top = `${below ? at.bottom + 6 : at.top - panel.offsetHeight - 6}px`;
    link.setAttribute("aria-describedby", "hover");
  }

  function hide() {
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    panel.hidden = true;
  }

  let leaving = 0;
  const cite = (event) => event.target.closest && event.target.closest("a.cite");
  document.addEventListener("pointerover", (event) => {
    const link = cite(event);
    if (link) { clearTimeout(leaving); show(link); }
    else if (event.target.closest && event.target.closest("#hover")) clearTimeout(leaving);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && (cite(event) || event.target.closest("#hover"))) leaving = setTimeout(hide, 250);
  });
  document.addEventListener("focusin", (event) => { if (cite(event)) show(cite(event)); });
  document.addEventListener("focusout", (event) => { if (cite(event)) hide(); });
  document.addEventListener("click", (event) => {
    const link = cite(event);
    if (!link) { if (!event.target.closest("#hover")) hide(); return; }
    // A tap shows the text; a second one leads to the list below the turn.
    if (shown === link && event.detail && link.dataset.seen) {
      const target = document.getElementById(link.hash.slice(1));
      const list = target && target.closest("details");
      if (list) list.open = true;
      hide();
      return;
    }
    event.preventDefault();
    link.dataset.seen = "1";
    show(link);
  });
})();
