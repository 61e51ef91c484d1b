// The look of a page: the width, the pictures, and the contrast of the texts.
"use strict";

// The rules of axe: contrast of at least 4.5:1, a text for each picture, and a name for each control.
const RULES = ["color-contrast", "image-alt", "svg-img-alt", "link-name", "button-name", "label", "html-has-lang"];

// The pictures of a page. A click shows a second, larger element of a picture.
const PICTURES = "main img:not(.img-wrapper img)";

// Returns a text for each part of the page that is wider than the window. Code, tables and wide pictures scroll by
// themselves.
function findOverflow(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    const isInside = (element) => element.tagName !== "MAIN" && (scrolls(element) || isInside(element.parentElement));
    const isWide = (element) => element.getBoundingClientRect().right > width + 1 && !isInside(element.parentElement);
    const wide = [...document.querySelectorAll("main *")].filter(isWide);
    const faults = wide.map((element) => `${element.tagName} ${element.textContent.slice(0, 40)} leaves the window`);
    const widest = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
    return widest > width ? [...faults, `the page is ${widest} pixels wide, the window ${width}`] : faults;
  });
}

// Returns a text for each picture that is not loaded, not visible, or without a text.
function findBadPictures(page) {
  return page.evaluate(async (pictures) => {
    const faults = [];
    for (const image of document.querySelectorAll(pictures)) {
      const name = image.getAttribute("src");
      await image.decode().catch(() => faults.push(`${name} does not load`));
      const { width, height } = image.getBoundingClientRect();
      if (width < 100 || height < 100 || !image.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        faults.push(`${name} is not visible`);
      }
      if (!image.alt.trim()) {
        faults.push(`${name} has no text`);
      }
    }
    return faults;
  }, PICTURES);
}

// Returns a text for each picture whose corner is light in a dark theme, or dark in a light theme.
async function findWrongColors(page) {
  const faults = [];
  const isDark = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === "dark");
  for (const image of await page.$$(PICTURES)) {
    const bytes = await image.screenshot({ encoding: "base64" });
    const brightness = await page.evaluate(async (bytes) => {
      const shot = new Image();
      shot.src = `data:image/png;base64,${bytes}`;
      await shot.decode();
      const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
      context.drawImage(shot, 0, 0);
      return Math.max(...context.getImageData(8, 8, 1, 1).data.slice(0, 3));
    }, bytes);
    if (isDark !== brightness < 128) {
      const name = await image.evaluate((image) => image.getAttribute("src"));
      faults.push(`${name} has the colors of the wrong theme`);
    }
  }
  return faults;
}

// Returns a text for each broken rule of axe, with the first place and the number of places.
async function findBrokenRules(page, axe) {
  await page.addScriptTag({ path: axe });
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
    const places = new Map();
    for (const node of violations.flatMap(({ nodes }) => nodes)) {
      const message = [...node.any, ...node.all, ...node.none].map((check) => check.message).join("; ");
      places.set(message, [...(places.get(message) ?? []), node.html.slice(0, 80)]);
    }
    return [...places].map(([message, nodes]) => `${nodes.length} times ${nodes[0]}: ${message}`);
  }, RULES);
}

module.exports = { PICTURES, findBadPictures, findBrokenRules, findOverflow, findWrongColors };
