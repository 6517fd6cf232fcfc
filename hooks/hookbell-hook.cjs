// What hookbell-hook.cmd and the agents that need no shell run on Windows. `hookbell init` puts it beside the state with the next
// line filled in; an edit is lost at the next `hookbell init`. The agents' settings name this file alone, so they stay the same
// when hookbell moves, and it tells once when hookbell is gone.
"use strict";
const hook = "@HOOK@";
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

if (existsSync(hook)) {
  // hookbell finds its other files beside the program that was called.
  process.argv[1] = hook;
  require(hook);
} else if (!isDisabled(process.env.HOOKBELL_DISABLE)) {
  complainOnce();
}

function isDisabled(value = "") {
  return !["", "0", "false", "no", "off"].includes(value.toLowerCase());
}

// Agents show this message and go on; from then on each hook is silent.
function complainOnce() {
  try {
    writeFileSync(join(__dirname, "hookbell-is-gone"), "", { flag: "wx" });
  } catch (error) {
    if (error.code === "EEXIST") return;
  }
  process.stderr.write(
    `hookbell: there is no hookbell in ${dirname(hook)} any more: remove its hooks from ${hookedFiles()}, or install it and run hookbell uninstall; if it has moved, run hookbell init again\n`,
  );
  process.exitCode = 1;
}

// The settings files that init wrote, as its record names them.
function hookedFiles() {
  try {
    const { files } = JSON.parse(readFileSync(join(__dirname, "installed.json"), "utf8"));
    return files.map(({ path }) => path).join(", ") || "the settings of your agents";
  } catch {
    return "the settings of your agents";
  }
}
