// Runs the tests of the folders below with Node for Windows, under Wine: `npm run test:windows:sources`. Arguments name other
// folders or files; `rest` names those that take too long for each commit. Left out are tests whose names have "(posix)", about what
// Windows does not have, "(not under Wine)", about what it has and Wine has not, and "(needs ...)", about programs of Linux.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fetchNode } from "../node-versions.mjs";
import { endWindows, makeWindows, wineEnv } from "./wine.mjs";

const folders = [
  "agents",
  "answers",
  "channels",
  "cli",
  "daemon",
  "install",
  "intake",
  "jsonc",
  "model",
  "outbox",
  "overview",
  "own-files",
  "pipeline",
  "policies",
  "recorded-runs",
  "rules",
  "sessions",
  "system",
  "wings/board",
];
/** Most of these start processes, which takes Wine a second each. test/integration/posix-hook is about the hook of other systems. */
const rest = [
  "commands",
  "console",
  "contract",
  "integration/answers",
  "integration/attention",
  "integration/channels",
  "integration/commands",
  "integration/dispatcher",
  "integration/faults",
  "integration/hook",
  "integration/install",
  "integration/network",
  "integration/page",
  "integration/upgrade",
  "integration/usage",
  "wings/fleet",
  "wings/guard",
  "wings/import",
  "wings/page",
  "wings/platform",
  "wings/remote",
  "wings/replay",
];
/** The newest that Wine 8 runs; the tests of the package run with 20. */
const nodeVersion = "22.23.3";
const limitMs = 600_000;
const restLimitMs = 3_600_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = join(root, "node_modules/.cache/windows-sources");
const compiler = join(cache, "compiler");
const prefix = join(cache, `node-${nodeVersion}`);

const missing = prepare();
if (missing !== undefined) {
  console.log(`the tests of the sources on Windows: skipped, this machine has no ${missing}`);
  process.exitCode = process.env.HOOKBELL_REQUIRE_PARTS === "1" ? 1 : 0;
} else {
  const temporary = makeTemporary();
  try {
    process.exitCode = runTests(temporary);
  } finally {
    endWindows(prefix);
    rmSync(temporary, { recursive: true, force: true });
  }
}

function prepare() {
  if (spawnSync("wine", ["--version"], { stdio: "ignore" }).error !== undefined) return "wine";
  const node = fetchNode(nodeVersion, "win");
  if ("missing" in node) return `Node for Windows (${node.missing})`;
  makeWindows(prefix, node.bin);
  fetchCompiler();
  return undefined;
}

/** Vitest's compiler is a program of the system's, which Wine cannot load; it is also there as WebAssembly. */
function fetchCompiler() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { version } = packages["node_modules/rolldown"];
  const wanted = `@rolldown/binding-wasm32-wasi@${version}`;
  const mark = join(compiler, "fetched");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  rmSync(compiler, { recursive: true, force: true });
  mkdirSync(compiler, { recursive: true });
  writeFileSync(join(compiler, "package.json"), '{ "private": true }\n');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--cpu=wasm32", "--force"];
  execFileSync("npm", ["install", ...options, wanted], { cwd: compiler, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(mark, wanted);
}

/** In memory where there is some: what the tests sync would take a disk minutes. */
function makeTemporary() {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "hookbell-windows-"));
}

function runTests(temporary) {
  const named = process.argv.slice(2);
  const isRest = named.length === 1 && named[0] === "rest";
  const paths = named.length > 0 && !isRest ? named : (isRest ? rest : folders).map((folder) => `test/${folder}/`);
  const report = process.env.HOOKBELL_TEST_REPORT;
  const env = {
    ...wineEnv(prefix),
    NAPI_RS_FORCE_WASI: "1",
    NODE_PATH: onWindows(join(compiler, "node_modules")),
    NODE_OPTIONS: `--import=file:///Z:${pathToFileURL(join(root, "test/windows/machine/keep-alive.mjs")).pathname}`,
    HOOKBELL_TEST_TEMPORARY: onWindows(temporary),
    NODE_NO_WARNINGS: "1",
    NO_COLOR: "1",
    // Where a test takes TZ away again, Node on Windows stays in the last zone.
    TZ: process.env.TZ ?? "UTC",
    ...(report !== undefined && { HOOKBELL_TEST_REPORT: onWindows(resolve(report)) }),
  };
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config=scripts/tests/on-windows.config.mjs",
    "--configLoader=native",
    String.raw`--testNamePattern=^(?!.*\((?:posix|not under Wine|needs)\b)`,
    ...paths,
  ];
  const node = String.raw`C:\Program Files\nodejs\node.exe`;
  // Programs on Windows cannot write into a pipe of Linux, and Wine hands them a file as it is.
  const output = join(temporary, "output");
  const file = openSync(output, "w");
  const stdio = ["ignore", file, file];
  const { status } = spawnSync("wine", [node, ...vitest], {
    cwd: root,
    env,
    stdio,
    timeout: isRest ? restLimitMs : limitMs,
  });
  closeSync(file);
  process.stdout.write(readFileSync(output));
  return status ?? 1;
}

/** Wine has the files of Linux on this drive. */
function onWindows(path) {
  return `Z:${path.replaceAll("/", "\\")}`;
}
