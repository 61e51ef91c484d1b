// The work without a mouse: the menu by the Tab key, and the search.
"use strict";

// Each button of the menu, by its id.
const BUTTONS = ["mdbook-sidebar-toggle", "mdbook-theme-toggle", "mdbook-search-toggle"];

// Presses the Tab key until an element of the page has the focus again, and returns the ids and the links in order.
async function readOrder(page) {
  const order = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const element = document.activeElement;
      const isNew = element !== document.body && !element.dataset.reached;
      element.dataset.reached = "yes";
      return isNew ? element.id || element.getAttribute("href") || element.tagName : null;
    });
    if (place === null) {
      return order;
    }
    order.push(place);
  }
}

// Returns a text if the Tab key does not reach a button of the menu, or if Enter does not show the contents.
async function findMenuFaults(page) {
  const order = await readOrder(page);
  const faults = BUTTONS.filter((id) => !order.includes(id)).map((id) => `the Tab key does not reach ${id}`);
  const state = () =>
    page.$eval("#mdbook-sidebar-toggle", (toggle) => ({
      shown: toggle.getAttribute("aria-expanded"),
      focus: document.activeElement.closest("#mdbook-sidebar") !== null,
    }));
  const before = (await state()).shown;
  await page.focus("#mdbook-sidebar-toggle");
  await page.keyboard.press("Enter");
  const after = await state();
  if (before === after.shown) {
    faults.push("Enter on the button of the contents does nothing");
  }
  if (after.shown === "true" && !after.focus) {
    faults.push("the shown contents have no focus");
  }
  return faults;
}

// Searches a word by the keyboard alone, opens the first result, and returns a text for each fault.
async function findSearchFaults(page, word, title) {
  await page.keyboard.press("s");
  await page.waitForFunction(() => document.activeElement.id === "mdbook-searchbar");
  await page.keyboard.type(word);
  await page.waitForSelector("#mdbook-searchresults li a");
  const results = await page.$$eval("#mdbook-searchresults li a", (links) => links.map((link) => link.textContent));
  if (!results.some((result) => result.includes(title))) {
    return [`the search for ${word} does not find ${title}: ${results.slice(0, 3).join("; ")}`];
  }
  await page.keyboard.press("ArrowDown");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  const text = await page.$eval("main", (main) => main.textContent.toLowerCase());
  return text.includes(word.toLowerCase()) ? [] : [`the first result for ${word} is a page without the word`];
}

module.exports = { findMenuFaults, findSearchFaults };
