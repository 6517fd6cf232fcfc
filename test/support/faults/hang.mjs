// Loaded into a dispatcher before anything else: reading a file whose path matches an expression never ends, as with a parser that
// loops. Only a process that dispatches hangs. Where the test says so, it rests now and then once it has used the processor for so
// long, and so leaves most of it to others.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const wanted = new RegExp(process.env.TEST_HANG_AT ?? "$^");
const { openSync, readSync } = fs;
const descriptors = new Set();

const restsAfterMs = Number(process.env.TEST_HANG_RESTS_AFTER_MS ?? "Infinity");
const nothing = new Int32Array(new SharedArrayBuffer(4));

let looks = 0;

function work() {
  looks += 1;
  const { user, system } = process.cpuUsage();
  // Some milliseconds of work lie between two rests.
  if (user + system > restsAfterMs * 1000 && looks % 300 === 0) Atomics.wait(nothing, 0, 0, 12);
}

if (process.argv.includes("dispatch")) {
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    descriptors.delete(descriptor);
    if (wanted.test(String(path))) descriptors.add(descriptor);
    return descriptor;
  };
  fs.readSync = (descriptor, ...rest) => {
    while (descriptors.has(descriptor)) work();
    return readSync(descriptor, ...rest);
  };
  syncBuiltinESMExports();
}
