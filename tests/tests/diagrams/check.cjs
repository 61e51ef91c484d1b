// Reads diagrams with the programs that the diagrams are for: Mermaid, Graphviz and a browser. The arguments are the
// folder of the packages, the file with the diagrams, and the file for the results.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");
const { writeFontConfig } = require("../../../guide/browser/fonts.cjs");
const [modules, input, output] = process.argv.slice(2);
const load = createRequire(modules + "/");
const { mermaid, dot, pages } = JSON.parse(readFileSync(input, "utf8"));

// The errors of Mermaid, by the names of the diagrams; the number of drawn entities otherwise.
async function readMermaid(browser) {
  const page = await browser.newPage();
  await page.setContent("<!DOCTYPE html><title>mermaid</title><body></body>");
  await page.addScriptTag({ path: load.resolve("mermaid/dist/mermaid.min.js") });
  await page.evaluate(() => window.mermaid.initialize({ startOnLoad: false, maxEdges: 5000 }));
  const results = {};
  for (const [name, text] of Object.entries(mermaid)) {
    results[name] = await page.evaluate(async (text) => {
      try {
        await window.mermaid.parse(text);
        const { svg } = await window.mermaid.render("drawn", text);
        const holder = document.createElement("div");
        holder.innerHTML = svg;
        return { entities: holder.querySelectorAll(".node").length, images: holder.querySelectorAll("img").length };
      } catch (error) {
        return { error: String(error) };
      }
    }, text);
  }
  await page.close();
  return results;
}

async function readPage(browser, path) {
  const page = await browser.newPage();
  const result = { requests: [], console: [], dialogs: 0 };
  const url = pathToFileURL(path).href;
  page.on("request", (request) => request.url() === url || result.requests.push(request.url()));
  page.on("console", (message) => result.console.push(message.text()));
  page.on("pageerror", (error) => result.console.push(String(error)));
  page.on("dialog", (dialog) => {
    result.dialogs += 1;
    return dialog.dismiss();
  });
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(url);
  const count = (selector) => page.$$eval(selector, (found) => found.length);
  result.cards = await count(".card");
  result.images = await count("img, iframe, object, embed");
  result.scripts = await count("script");
  result.hidden = await page.$$eval(".facts", (all) => all.every((facts) => facts.offsetParent === null));
  // A browser measures the texts of a small picture with errors, so the picture has its natural size here.
  result.outside = await page.$$eval(".card", (cards) => {
    const outside = [];
    const schema = document.getElementById("schema");
    const whole = schema.getAttribute("viewBox");
    schema.setAttribute("viewBox", `0 0 ${schema.clientWidth} ${schema.clientHeight}`);
    for (const card of cards) {
      const box = card.querySelector(".box").getBBox();
      for (const text of card.querySelectorAll("text")) {
        const place = text.getBBox();
        if (place.x < box.x || place.x + place.width > box.x + box.width + 0.5) {
          outside.push(text.textContent);
        }
      }
    }
    schema.setAttribute("viewBox", whole);
    return outside;
  });
  // A click chooses the box.
  const place = await page.$eval('[data-card="0"] .head', (head) => {
    const area = head.getBoundingClientRect();
    return { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  });
  await page.mouse.click(place.x, place.y);
  const state = () =>
    page.evaluate(() => ({
      chosen: [...document.querySelectorAll(".card.chosen")].map((card) => card.dataset.card),
      shown: [...document.querySelectorAll(".facts.shown h2")].map((title) => title.textContent),
      dim: document.querySelectorAll(".card.dim").length,
      found: document.getElementById("found").textContent,
      view: document.getElementById("schema").getAttribute("viewBox"),
    }));
  result.clicked = await state();
  // The keyboard ends the choice, searches and chooses.
  await page.keyboard.press("Escape");
  result.left = await state();
  await page.keyboard.press("/");
  const name = await page.$eval('[data-card="1"] .name', (name) => name.textContent);
  await page.keyboard.type(name);
  result.searched = { name, ...(await state()) };
  await page.keyboard.press("Enter");
  result.entered = await state();
  await page.keyboard.press("+");
  result.larger = (await state()).view;
  await page.keyboard.press("0");
  result.whole = (await state()).view;
  await page.mouse.move(500, 500);
  await page.mouse.wheel({ deltaY: -200 });
  result.wheel = (await state()).view;
  // Paper shows all facts.
  await page.emulateMediaType("print");
  result.printed = await page.$$eval(".facts", (all) => all.every((facts) => facts.offsetParent !== null));
  await page.close();
  return result;
}

async function main() {
  const { Graphviz } = await import(pathToFileURL(load.resolve("@hpcc-js/wasm-graphviz")).href);
  const graphviz = await Graphviz.load();
  const drawn = {};
  for (const [name, text] of Object.entries(dot)) {
    try {
      drawn[name] = { svg: graphviz.layout(text, "svg", "dot") };
    } catch (error) {
      drawn[name] = { error: String(error) };
    }
  }
  const { default: chromium } = await import(pathToFileURL(load.resolve("@sparticuz/chromium")).href);
  const { default: puppeteer } = await import(pathToFileURL(load.resolve("puppeteer-core")).href);
  const executablePath = await chromium.executablePath();
  writeFontConfig();
  const browser = await puppeteer.launch({
    args: chromium.args,
    executablePath,
    headless: "shell",
    protocolTimeout: 600000,
  });
  try {
    const results = { mermaid: await readMermaid(browser), dot: drawn, pages: {} };
    for (const [name, path] of Object.entries(pages)) {
      results.pages[name] = await readPage(browser, path);
    }
    writeFileSync(output, JSON.stringify(results));
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
