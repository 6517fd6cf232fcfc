// Loaded into a process before anything else: kills it at its n-th step that changes a file or speaks to the network, or
// at the n-th of those whose name and arguments match an expression.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const stopAt = Number(process.env.TEST_STOP_AT);
// What this process starts is to run on.
const wanted = new RegExp(process.env.TEST_STOP_WHEN ?? "");
delete process.env.TEST_STOP_AT;
delete process.env.TEST_STOP_WHEN;
delete process.env.NODE_OPTIONS;

let steps = 0;
function step(name, args) {
  const words = args.filter((arg) => typeof arg === "string" || Buffer.isBuffer(arg)).map(String);
  if (!wanted.test([name, ...words].join(" "))) return;
  steps += 1;
  if (steps !== stopAt) return;
  fs.writeSync(2, `stopped before step ${steps}: ${name}\n`);
  process.kill(process.pid, "SIGKILL");
}

function countCalls(object, name, isStep = () => true) {
  const original = object[name];
  object[name] = function (...args) {
    if (isStep(args)) step(name, args);
    return original.apply(this, args);
  };
}

for (const name of ["linkSync", "mkdirSync", "renameSync", "rmSync", "unlinkSync", "utimesSync"]) countCalls(fs, name);
countCalls(fs, "openSync", ([, flags]) => /[wa]/.test(String(flags)));
countCalls(net.Socket.prototype, "connect");
countCalls(net.Socket.prototype, "push", ([chunk]) => chunk !== null);
// One more for each answer that is sent, for those who ask for it by name.
if (wanted.source !== "(?:)") countCalls(net.Socket.prototype, "write");
syncBuiltinESMExports();
