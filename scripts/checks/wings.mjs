// Takes the wings away in copies of the project, as ARCHITECTURE.md says: without any of them the rest is generated, compiles, is
// linted, is built and passes its tests; without each of them it is generated and built. That nothing else imports a wing, so that the
// rest compiles without it, is in test/contract/house.test.ts. Names of wings as arguments, or --all for each, make all of it for each.
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const all = readdirSync(join(root, "src/wings"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What belongs to a wing besides its own folders and what imports from them. */
const belongings = {
  page: ["web/", "test/integration/page/"],
  platform: ["web/usage/"],
  replay: ["web/what-if"],
};
/** Where a tab of the page is entered, and what is left of it. */
const entries = {
  platform: [["web/wing-tabs.tsx", /.*usage.*\n/gi]],
  replay: [["web/wing-tabs.tsx", /.*what-if.*\n/g]],
};
/** The tests of what every wing touches. With names or --all, those of the rest as well. */
const tests = ["test/cli", "test/commands", "test/console", "test/rules", "test/daemon"];
const others = ["test/contract", "test/http-server", "test/overview", "test/pipeline", "test/wings"];
/** The documents are about the whole, and name the commands of every wing. */
const ofTheWhole = ["test/contract/documents.test.ts", "test/contract/readme.test.ts"];
const named = process.argv.slice(2).filter((word) => word !== "--all");
const isThorough = named.length > 0 || process.argv.includes("--all");

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

/** A command that takes longer hangs, and has failed. All tests take four minutes on two idle cores. */
const longestMs = (isThorough ? 15 : 5) * 60_000;

/** The wings that each copy is without. */
const single = (named.length > 0 ? named : all).map((wing) => [wing]);
const waiting = isThorough ? single : [all, ...single];
/** Compilers use one core each. */
await Promise.all([work(), work()]);

async function work() {
  for (let wings = waiting.shift(); wings !== undefined; wings = waiting.shift()) {
    const problem = await check(wings);
    if (problem !== undefined) process.exitCode = 1;
    console.log(`without ${wings.join(", ")}:${problem === undefined ? " all well" : `\n${problem}`}`);
  }
}

/** What is wrong without these wings; undefined: nothing. */
async function check(wings) {
  const folder = mkdtempSync(join(tmpdir(), `hookbell-without-${wings[0]}-`));
  try {
    const gone = goneWith(wings);
    for (const path of files) {
      if (gone.has(path)) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    // Some checks ask git which files there are.
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    for (const registry of ["src/wings/index.ts", "src/wing-settings/index.ts"]) {
      edit(join(folder, registry), new RegExp(`.*\\b(?:${wings.join("|")})(?:Wing|Part)\\b.*\\n`, "g"));
    }
    for (const [path, lines] of wings.flatMap((wing) => entries[wing] ?? [])) {
      if (!gone.has(path)) edit(join(folder, path), lines);
    }
    const isWhole = isThorough || wings === all;
    const building = [
      ["node", "scripts/generate.mjs"],
      ...(gone.has("web/app.tsx") ? [] : [["npx", "tsc", "--noEmit", "-p", "web"]]),
      ["npm", "run", "--silent", "build"],
    ];
    const testing = [
      ["npx", "tsc", "--noEmit"],
      ["npx", "oxlint", "-c", "oxlint.config.mjs", "--deny-warnings"],
      ["npx", "vitest", "run", ...tests, ...(isThorough ? others : [])],
    ];
    for (const command of isWhole ? [...building, ...testing] : building) {
      const output = await run(command, folder);
      if (output !== undefined) return `${command.join(" ")}\n${output}`;
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The wings' own files, and what stands on them: tests, benchmarks, and their support. */
function goneWith(wings) {
  const own = wings.flatMap((wing) => [
    `src/wings/${wing}/`,
    `src/wing-settings/${wing}.ts`,
    `test/wings/${wing}/`,
    ...(belongings[wing] ?? []),
  ]);
  const gone = new Set(files.filter((path) => [...own, ...ofTheWhole].some((prefix) => path.startsWith(prefix))));
  const standing = files.filter((path) => /^(?:test|bench|demo)\/.*\.tsx?$/.test(path));
  for (let size = 0; size !== gone.size;) {
    size = gone.size;
    for (const path of standing) if (importsOf(path).some((target) => gone.has(target))) gone.add(path);
  }
  return gone;
}

function importsOf(path) {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/\b(?:from|import\(?)\s*"(\.[^"]+)"/g)].map(([, target]) =>
    posix.join(posix.dirname(path), target),
  );
}

function edit(path, lines) {
  writeFileSync(path, readFileSync(path, "utf8").replace(lines, ""));
}

/** What a command that fails has printed. */
async function run([program, ...args], cwd) {
  try {
    await promisify(execFile)(program, args, { cwd, maxBuffer: 64 * 1024 * 1024, timeout: longestMs });
    return undefined;
  } catch (error) {
    return `${error.stdout ?? ""}${error.stderr ?? ""}`.slice(-6000);
  }
}
