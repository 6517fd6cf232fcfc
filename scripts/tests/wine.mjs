// Wine, as the tests on Windows use it.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const limitMs = 120_000;
/** Debian keeps it off the PATH. */
const debianServer = "/usr/lib/wine/wineserver64";

/** What a program on Windows has of the variables out here. */
export function wineEnv(prefix) {
  return {
    PATH: process.env.PATH ?? "",
    HOME: dirname(prefix),
    // Wine reads names of files as the locale says.
    LC_ALL: "C.UTF-8",
    WINEPREFIX: prefix,
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    // There is no menu to build, no one to ask whether Wine may fetch .NET and a browser, or to look at a program that crashed.
    WINEDLLOVERRIDES: "winemenubuilder.exe,winedbg.exe,mscoree,mshtml=d",
  };
}

/** Makes a drive C: in this folder, with Node where its installer puts it, unless it is there. It takes twelve seconds. */
export function makeWindows(prefix, nodeBin) {
  const nodeFolder = join(prefix, "drive_c/Program Files/nodejs");
  if (existsSync(nodeFolder)) return;
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(dirname(prefix), { recursive: true });
  run(prefix, "wineboot", "-i");
  run(prefix, "wine", "reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
  wineserver(prefix, "-w");
  cpSync(nodeBin, nodeFolder, { recursive: true });
}

/** Ends all that runs on this Windows. */
export function endWindows(prefix) {
  wineserver(prefix, "-k");
}

function run(prefix, program, ...args) {
  const { status, error } = spawnSync(program, args, { env: wineEnv(prefix), stdio: "ignore", timeout: limitMs });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")}: ${error?.message ?? `exit code ${status}`}`);
}

function wineserver(prefix, option) {
  const program = existsSync(debianServer) ? debianServer : "wineserver";
  // With nothing to end, it says 1.
  spawnSync(program, [option], { env: wineEnv(prefix), stdio: "ignore", timeout: limitMs });
}
