// The button of the contents for the keyboard: the Tab key reaches the button, Enter and Space show or hide the
// contents, and the focus goes to the link of the page.
"use strict";
(() => {
  const toggle = document.getElementById("mdbook-sidebar-toggle");
  toggle.tabIndex = 0;
  toggle.setAttribute("role", "button");
  toggle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") {
      return;
    }
    event.preventDefault();
    toggle.click();
    if (toggle.getAttribute("aria-expanded") === "true") {
      document.querySelector("#mdbook-sidebar a.active")?.focus();
    }
  });
})();
