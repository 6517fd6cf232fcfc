// Prints what vitest's reports say together: `node scripts/tests/count.mjs REPORT...`. What failed and what passed only alone is named;
// the last line is `N passed, N failed`. A report that is not there counts as one that failed, and so does a file without a test that
// ran at all.
import { existsSync, readFileSync } from "node:fs";
import { failuresOf } from "./run-again.mjs";

let passed = 0;
const failures = [];
for (const path of process.argv.slice(2)) {
  const files = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).testResults : [];
  if (files.length === 0) failures.push(`no report in ${path}`);
  for (const file of files) {
    passed += file.assertionResults.filter(({ status }) => status === "passed").length;
    failures.push(...failuresOf(file));
    for (const failure of file.failedBefore ?? []) console.log(`passed only alone: ${failure}`);
  }
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = passed > 0 && failures.length === 0 ? 0 : 1;
