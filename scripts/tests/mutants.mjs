// Changes the code in small ways, one at a time, and looks whether a test fails: `npm run mutants`, for what differs from main.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";

/** Where a wrong decision loses a question, an answer or a message. */
const guarded = [
  "src/answers",
  "src/policies",
  "src/outbox",
  "src/own-files",
  "src/pipeline",
  "src/rules/apply",
  "src/sessions",
];

const { values, positionals: asked } = parseArgs({
  options: { all: { type: "boolean" }, part: { type: "string", default: "1/1" } },
  allowPositionals: true,
});
if (!/^([1-9])\/([1-9])$/.test(values.part) || values.part[0] > values.part[2]) {
  console.error(`--part ${values.part} is no part: write 1/4 for the first of four`);
  process.exit(2);
}
const missing = asked.filter((each) => !existsSync(each));
if (missing.length > 0) {
  console.error(`there is no ${missing.join(", ")}; name files or folders of src/, or --all for ${guarded.join(", ")}`);
  process.exit(2);
}
const places = values.all ? guarded : asked.length > 0 ? asked : changedFiles();
if (places.length === 0) {
  console.log(`nothing differs from main in ${guarded.join(", ")}`);
  process.exit(0);
}
const patterns = places.map((place) => (statSync(place).isDirectory() ? `${place}/**/*.ts` : place));
const stryker = ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "--mutate", patterns.join(",")];
const env = { ...process.env, HOOKBELL_MUTATED: places.map(nearOf).join(","), HOOKBELL_MUTANTS_PART: values.part };
process.exitCode = spawnSync(process.execPath, stryker, { stdio: "inherit", env }).status ?? 1;

/** The folder whose tests are about a place: of a file, the one that it is in. */
function nearOf(place) {
  return statSync(place).isDirectory() ? place : dirname(place);
}

/** The files of the guarded folders that differ from main, whether committed or not. */
function changedFiles() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const upstream = ["origin/main", "main"].find((name) => succeeds("git", "rev-parse", "--verify", "--quiet", name));
  const since = upstream === undefined ? "HEAD" : git("merge-base", upstream, "HEAD");
  const names = git("diff", "--name-only", "--diff-filter=d", since, "--", ...guarded).split("\n");
  return names.filter((name) => name.endsWith(".ts"));
}

function succeeds(program, ...args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
