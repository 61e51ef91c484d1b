// Points the browser at the fonts of the package. The package unpacks the fonts into the folder for temporary files, and
// the configuration of the package names `/tmp/fonts` alone.
"use strict";
const { writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

// Writes the configuration of the fonts. The browser must be unpacked, and must not run yet.
function writeFontConfig() {
  const fonts = join(tmpdir(), "fonts");
  const words = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>`,
  ];
  writeFileSync(join(fonts, "fonts.conf"), words.join("\n"));
}

module.exports = { writeFontConfig };
