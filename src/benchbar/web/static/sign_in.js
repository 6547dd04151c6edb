"use strict";
// The owner's links carry name and token behind the #, where no server and no log sees them.
(() => {
  const form = document.getElementById("sign-in");
  const given = new URLSearchParams(location.hash.slice(1));
  if (!form || !given.has("token")) return;
  form.elements.name.value = given.get("name") || "";
  form.elements.token.value = given.get("token");
  history.replaceState(null, "", location.pathname + location.search);
  // Somebody else is signed in here: only a person can say that they are to leave.
  if (form.elements.name.value && !form.elements.instead) form.requestSubmit();
})();
