// Loaded into a dispatcher before anything else: reading a file whose path matches an expression never ends, as with a parser that
// loops. Only a process that dispatches hangs. Where the test says so, it rests now and then, and so
// leaves most of the processor to others.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const wanted = new RegExp(process.env.TEST_HANG_AT ?? "$^");
const { openSync, readSync } = fs;
const descriptors = new Set();

const usedMs = 20;
const restMs = Number(process.env.TEST_HANG_RESTS_MS ?? 0);
const nothing = new Int32Array(new SharedArrayBuffer(4));

function useSome() {
  if (restMs === 0) return;
  const before = process.cpuUsage();
  for (let used = 0; used < usedMs * 1000;) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  Atomics.wait(nothing, 0, 0, restMs);
}

if (process.argv.includes("dispatch")) {
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    descriptors.delete(descriptor);
    if (wanted.test(String(path))) descriptors.add(descriptor);
    return descriptor;
  };
  fs.readSync = (descriptor, ...rest) => {
    while (descriptors.has(descriptor)) useSome();
    return readSync(descriptor, ...rest);
  };
  syncBuiltinESMExports();
}
