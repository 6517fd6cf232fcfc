// Loaded into a dispatcher before anything else: reading a file whose path matches an expression never ends, as with a parser that
// loops. Only a process that dispatches hangs.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const wanted = new RegExp(process.env.TEST_HANG_AT ?? "$^");
const { openSync, readSync } = fs;
const descriptors = new Set();

if (process.argv.includes("dispatch")) {
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    descriptors.delete(descriptor);
    if (wanted.test(String(path))) descriptors.add(descriptor);
    return descriptor;
  };
  fs.readSync = (descriptor, ...rest) => {
    while (descriptors.has(descriptor));
    return readSync(descriptor, ...rest);
  };
  syncBuiltinESMExports();
}
