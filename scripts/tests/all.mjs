// Every test that runs without real agents: `npm run test:all`, or only some of its parts by their names.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runFailedAgain } from "./run-again.mjs";

const newSeed = String(Math.floor(Math.random() * 2 ** 30));

/** What each part hands to vitest, and what it adds to the environment. */
const parts = {
  /** What `npm test` runs. */
  tests: { args: [] },
  /** The part of `tests` that needs programs which not every machine has. */
  needs: { args: ["--testNamePattern", String.raw`\(needs `] },
  /** Long by nature: kills at every step, full disks, other shells, all recorded runs, the packed package, Windows. */
  endurance: { args: ["--config", "vitest.endurance.config.ts"] },
  /** Other runs draw the same cases each time. A failure here deserves a look, but it decides nothing. */
  seeds: { args: propertyTests, env: { HOOKBELL_TEST_SEED: newSeed }, decides: false },
};
const usual = ["tests", "endurance", "seeds"];
/** Daemons that stay behind must not keep a run from ending. On a busy machine, the longest part takes more than half an hour. */
const limitMs = 3_600_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`test:all has no part ${unknown.join(", ")}; it has ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const reports = process.env.HOOKBELL_TEST_REPORTS;
if (reports !== undefined) mkdirSync(reports, { recursive: true });

const failed = (asked.length > 0 ? asked : usual).filter((name) => {
  const { args, env = {}, decides = true } = parts[name];
  console.log(`\n--- ${name}${env.HOOKBELL_TEST_SEED === undefined ? "" : `, HOOKBELL_TEST_SEED=${newSeed}`}`);
  const report = reports === undefined || !decides ? undefined : join(reports, `${name}.json`);
  const given = typeof args === "function" ? args() : args;
  const started = Date.now();
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...given], {
    env: { ...process.env, ...env, ...(report === undefined ? {} : { HOOKBELL_TEST_REPORT: report }) },
    stdio: "inherit",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const hasPassed = status === 0 || (report !== undefined && runFailedAgain(report, given));
  console.log(`--- ${name}: ${hasPassed ? "passed" : "failed"} after ${Math.round((Date.now() - started) / 1000)} s`);
  return !hasPassed && decides;
});
console.log(failed.length === 0 ? "\nall well" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Every fourth file, others in the next run: they take minutes. */
function propertyTests() {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).map((name) => join("test", name));
  const ofProperties = files.filter(
    (file) => file.endsWith(".test.ts") && readFileSync(file, "utf8").includes('"fast-check"'),
  );
  return ofProperties.filter((_, index) => (index + Number(newSeed)) % 4 === 0);
}
