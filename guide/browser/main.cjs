// Looks at pages of the built book in a headless browser, on a phone and on a desktop, in the light and the dark theme.
// The arguments are the folder of the packages, the folder of the book, and perhaps a folder for screenshots.
"use strict";
const { mkdirSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { writeFontConfig } = require("./fonts.cjs");
const { findMenuFaults, findSearchFaults } = require("./keyboard.cjs");
const { PICTURES, findBadPictures, findBrokenRules, findOverflow, findWrongColors } = require("./look.cjs");
const { serveFolder } = require("./server.cjs");
const [modules, book, screenshots] = process.argv.slice(2);
const load = createRequire(modules + "/");

const PAGES = [
  "index",
  "start/quickstart",
  "tutorial/5_copies",
  "guides/filters",
  "attributes/model",
  "design/choosing",
  "design/copies",
  "design/buckets",
  "design/trees",
];
// The pages that are also read in the remaining themes.
const SAMPLES = ["index", "design/copies"];
// The width of the window in pixels, and the pages by theme. The contrast is the same at each width: one device is
// enough.
const PHONE = { name: "phone", width: 390, pages: { light: PAGES, navy: PAGES }, readsRules: false };
const DESKTOP = {
  name: "desktop",
  width: 1280,
  pages: { light: PAGES, navy: PAGES, rust: SAMPLES, coal: SAMPLES, ayu: SAMPLES },
  readsRules: true,
};
// A word, and the title of a page that the search finds for the word.
const SEARCH = ["denormalize", "Copies"];

// Opens a page in a theme. The faults get the errors of the console and the failed requests.
async function openPage(browser, url, width, theme, faults) {
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`console: ${error}`));
  page.on("response", (response) => response.ok() || faults.push(`${response.status()} for ${response.url()}`));
  await page.setViewport({ width, height: 900 });
  await page.evaluateOnNewDocument((theme) => localStorage.setItem("mdbook-theme", theme), theme);
  await page.goto(url);
  return page;
}

// Returns the faults of a page, and the number of its pictures.
async function checkPage(browser, url, device, theme, screenshot) {
  const faults = [];
  const page = await openPage(browser, url, device.width, theme, faults);
  faults.push(...(await findOverflow(page)), ...(await findBadPictures(page)), ...(await findWrongColors(page)));
  const pictures = await page.$$eval(PICTURES, (images) => images.length);
  if (screenshot) {
    await page.screenshot({ path: screenshot, fullPage: true });
  }
  if (device.readsRules) {
    faults.push(...(await findBrokenRules(page, load.resolve("axe-core/axe.min.js"))));
  }
  await page.close();
  return { faults, pictures };
}

async function checkKeyboard(browser, url, device) {
  const faults = [];
  const page = await openPage(browser, url, device.width, "light", faults);
  faults.push(...(await findMenuFaults(page)));
  await page.goto(url);
  faults.push(...(await findSearchFaults(page, ...SEARCH)));
  await page.close();
  return faults;
}

async function checkBook(browser, address) {
  const faults = [];
  let pictures = 0;
  for (const device of [PHONE, DESKTOP]) {
    for (const [theme, pages] of Object.entries(device.pages)) {
      for (const name of pages) {
        const file = `${name.replaceAll("/", "-")}-${device.name}-${theme}.png`;
        const screenshot = screenshots && join(screenshots, file);
        const found = await checkPage(browser, `${address}${name}.html`, device, theme, screenshot);
        faults.push(...found.faults.map((fault) => `${name}, ${device.name}, ${theme}: ${fault}`));
        pictures += found.pictures;
      }
    }
    const found = await checkKeyboard(browser, `${address}index.html`, device);
    faults.push(...found.map((fault) => `keyboard, ${device.name}: ${fault}`));
  }
  return { faults, pictures };
}

async function main() {
  const { default: chromium } = await import(pathToFileURL(load.resolve("@sparticuz/chromium")).href);
  const { default: puppeteer } = await import(pathToFileURL(load.resolve("puppeteer-core")).href);
  if (screenshots) {
    mkdirSync(screenshots, { recursive: true });
  }
  const { server, address } = await serveFolder(book);
  const executablePath = await chromium.executablePath();
  writeFontConfig();
  const browser = await puppeteer.launch({ args: chromium.args, executablePath, headless: "shell" });
  try {
    const { faults, pictures } = await checkBook(browser, address);
    faults.forEach((fault) => console.error(fault));
    console.log(`${PAGES.length} pages in a browser, ${pictures} views of pictures, ${faults.length} faults`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    server.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
