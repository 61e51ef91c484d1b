"use strict";
(() => {
  const svg = document.getElementById("schema");
  const view = document.getElementById("view");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const cards = [...svg.querySelectorAll(".card")];
  const lines = [...svg.querySelectorAll(".line")];
  const whole = svg.viewBox.baseVal;
  const size = { width: whole.width, height: whole.height };
  let box = { x: 0, y: 0, width: size.width, height: size.height };
  let chosen = null;
  document.body.classList.add("js");

  // The part of the picture that is shown.
  const show = () => svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].join(" "));
  const reset = () => {
    box = { x: 0, y: 0, width: size.width, height: size.height };
    show();
  };
  const scale = () => Math.max(box.width / view.clientWidth, box.height / view.clientHeight);
  const zoom = (factor, x = box.x + box.width / 2, y = box.y + box.height / 2) => {
    const width = Math.min(Math.max(box.width * factor, 80), 4 * size.width);
    const real = width / box.width;
    box = {
      x: x - (x - box.x) * real,
      y: y - (y - box.y) * real,
      width,
      height: box.height * real,
    };
    show();
  };
  const move = (x, y) => {
    box.x += x;
    box.y += y;
    show();
  };
  const center = (card) => {
    const place = card.getBBox();
    const width = Math.min(size.width, Math.max(3 * place.width, 1000));
    const height = (width * view.clientHeight) / view.clientWidth;
    box = { x: place.x + place.width / 2 - width / 2, y: place.y + place.height / 2 - height / 2, width, height };
    show();
  };

  // The chosen box with its neighbors and facts.
  const choose = (card) => {
    chosen = card;
    const number = card && card.dataset.card;
    const near = new Set([number]);
    for (const line of lines) {
      const is_near = line.dataset.from === number || line.dataset.to === number;
      if (is_near) {
        near.add(line.dataset.from);
        near.add(line.dataset.to);
      }
      line.classList.toggle("near", Boolean(card) && is_near);
      line.classList.toggle("dim", Boolean(card) && !is_near);
    }
    for (const other of cards) {
      other.classList.toggle("chosen", other === card);
      other.classList.toggle("dim", Boolean(card) && !near.has(other.dataset.card));
    }
    for (const facts of document.querySelectorAll(".facts")) {
      facts.classList.toggle("shown", Boolean(card) && facts.id === "facts-" + number);
    }
    document.getElementById("hint").hidden = Boolean(card);
  };

  // The search compares the names of collections and fields.
  const texts = cards.map((card) => (card.dataset.name + " " + card.textContent).toLowerCase());
  const names = cards.map((card) => card.dataset.name.toLowerCase());
  const look = () => {
    const word = search.value.trim().toLowerCase();
    let count = 0;
    let best = null;
    cards.forEach((card, at) => {
      const fits = word !== "" && texts[at].includes(word);
      card.classList.toggle("found", fits);
      card.classList.toggle("dim", word !== "" && !fits);
      count += fits ? 1 : 0;
      if (fits && (best === null || (names[at].includes(word) && !names[best].includes(word)))) {
        best = at;
      }
    });
    for (const line of lines) {
      line.classList.toggle("dim", word !== "");
    }
    found.textContent = word === "" ? "" : count + " found";
    return best === null ? null : cards[best];
  };
  search.addEventListener("input", () => {
    choose(null);
    look();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const card = look();
      if (card) {
        choose(card);
        center(card);
        card.focus({ preventScroll: true });
      }
    }
  });

  let start = null;
  view.addEventListener("pointerdown", (event) => {
    start = { x: event.clientX, y: event.clientY, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!start) {
      return;
    }
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (start.moved || Math.hypot(x, y) > 4) {
      move(-x * scale(), -y * scale());
      start = { x: event.clientX, y: event.clientY, moved: true };
    }
  });
  window.addEventListener("pointerup", (event) => {
    const was_click = start && !start.moved;
    start = null;
    if (was_click && view.contains(event.target)) {
      choose(event.target.closest(".card"));
    }
  });
  view.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      zoom(Math.exp(event.deltaY / 500), point.x, point.y);
    },
    { passive: false },
  );
  document.getElementById("larger").addEventListener("click", () => zoom(0.8));
  document.getElementById("smaller").addEventListener("click", () => zoom(1.25));
  document.getElementById("whole").addEventListener("click", reset);

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      look();
      choose(null);
      search.blur();
      return;
    }
    if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const step = box.width / 12;
    const keys = {
      "/": () => search.focus(),
      "+": () => zoom(0.8),
      "-": () => zoom(1.25),
      0: reset,
      ArrowLeft: () => move(-step, 0),
      ArrowRight: () => move(step, 0),
      ArrowUp: () => move(0, -step),
      ArrowDown: () => move(0, step),
      Enter: () => choose(event.target.closest && event.target.closest(".card")),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
})();
