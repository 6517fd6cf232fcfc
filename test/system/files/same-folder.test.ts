// Hooks of several agents may be the first to need the state folder, all at once.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const workers = 3;
const rounds = 200;

/** Each worker makes the same folders as the others, at the same moment. */
const program = (module: string): string => `
  const { parentPort, workerData: { folder, begun, workers, rounds } } = require("node:worker_threads");
  const { ensurePrivateDir } = require(${JSON.stringify(module)});
  const count = new Int32Array(begun);
  const problems = [];
  for (let round = 1; round <= rounds; round += 1) {
    Atomics.add(count, 0, 1);
    while (Atomics.load(count, 0) < round * workers);
    try {
      ensurePrivateDir(folder + "/" + round + "/state/hookbell");
    } catch (error) {
      problems.push(error.message);
    }
  }
  parentPort.postMessage(problems);
`;

// Go, in which esbuild is written, needs a newer Windows than Wine 8 is.
it("can be made by several processes at once (not under Wine)", async () => {
  const folder = temporaryFolder();
  const module = join(folder, "files.cjs");
  const entry = join(import.meta.dirname, "../../../src/system/files/files.ts");
  await build({ entryPoints: [entry], outfile: module, bundle: true, platform: "node", format: "cjs" });
  const workerData = { folder, begun: new SharedArrayBuffer(4), workers, rounds };
  const running = Array.from({ length: workers }, () => new Worker(program(module), { eval: true, workerData }));
  const problems = await Promise.all(
    running.map((worker) => new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject))),
  );
  expect(problems.flat()).toEqual([]);
});
