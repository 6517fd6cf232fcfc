// Runs the failed test files of a run once more, one after another with nothing beside them, and puts what came of it into the run's
// report: `node scripts/tests/run-again.mjs REPORT [ARGUMENTS OF VITEST]`. A test that waits for real processes can fail only because
// the machine was busy with others. One that passes now is still named in the report (`failedBefore`), for it deserves a look.
// Exit code 0: all passed. Nothing is run again if many files failed, or if none did and the run failed by something else.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";

/** A busy machine disturbs single tests; more than these have another cause. */
const mostFiles = 6;
const limitMs = 1_800_000;

/** Whether all that failed in the run of this report passes when it runs alone. */
export function runFailedAgain(reportPath, args, env = process.env) {
  if (!existsSync(reportPath)) return false;
  const report = JSON.parse(readFileSync(reportPath, "utf8"));
  const failed = report.testResults.filter(({ status }) => status === "failed");
  if (failed.length === 0 || failed.length > mostFiles) return false;
  const files = failed.map(({ name }) => relative(process.cwd(), name));
  console.log(`\n--- once more, alone: ${files.join(", ")}`);
  const secondPath = `${reportPath}.second`;
  rmSync(secondPath, { force: true });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...args, "--maxWorkers=1", ...files];
  const { status } = spawnSync(process.execPath, vitest, {
    env: { ...env, HOOKBELL_TEST_REPORT: secondPath },
    stdio: "inherit",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  if (!existsSync(secondPath)) return false;
  const second = JSON.parse(readFileSync(secondPath, "utf8")).testResults;
  const testResults = report.testResults.map((file) => {
    const again = second.find(({ name }) => name === file.name);
    if (file.status !== "failed" || again === undefined) return file;
    return again.status === "failed" ? again : { ...again, failedBefore: failuresOf(file) };
  });
  writeFileSync(reportPath, JSON.stringify({ ...report, testResults }));
  return status === 0 && testResults.every((file) => file.status !== "failed");
}

/** What failed in a file of a report, each as its name and the first lines of its error. */
export function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${file}: could not run: ${message}`];
  return failed.map((test) => {
    const [error = ""] = test.failureMessages;
    return [
      `${file}: ${test.fullName}`,
      ...error
        .split("\n")
        .filter((line) => !line.includes("node_modules"))
        .slice(0, 6),
    ].join("\n    ");
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [report = "", ...args] = process.argv.slice(2);
  process.exitCode = runFailedAgain(report, args) ? 0 : 1;
}
