// Sets up Wine once for a run of the tests on Windows: its drive C:, with Node where its installer puts it.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { fetchNode } from "../../../scripts/node-versions.mjs";
import { findPart } from "../../support/parts.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The component that this machine lacks, if any. */
    missingForWindows: string | undefined;
    /** Wine's own folder, which has the drives in it. */
    winePrefix: string;
  }
}

/** The newest that Wine 8 runs is 22. */
const nodeVersion = "20.20.2";
const cache = fileURLToPath(new URL("../../../node_modules/.cache/windows/", import.meta.url));
/** It takes twelve seconds to make, so it stays for the next run. */
const prefix = join(cache, `node-${nodeVersion}`);

/** What a program on Windows has of the variables out here. */
export function wineEnv(winePrefix: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: cache,
    // Wine reads names of files as the locale says.
    LC_ALL: "C.UTF-8",
    WINEPREFIX: winePrefix,
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    // There is no menu to build, and no one to ask whether Wine may fetch .NET and a browser.
    WINEDLLOVERRIDES: "winemenubuilder.exe,mscoree,mshtml=d",
  };
}

/** Vitest's global set-up. What comes back runs after all tests, and ends what is left on this Windows. */
export function setup({ provide }: TestProject): () => void {
  provide("winePrefix", prefix);
  const missing = findPart("wine") === undefined ? "wine" : prepare();
  provide("missingForWindows", missing);
  return () => {
    if (missing === undefined) wineserver("-k");
  };
}

function prepare(): string | undefined {
  const node = fetchNode(nodeVersion, "win");
  if ("missing" in node) return `Node for Windows (${node.missing})`;
  const nodeFolder = join(prefix, "drive_c/Program Files/nodejs");
  if (!existsSync(nodeFolder)) {
    rmSync(prefix, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    wine("wineboot", "-i");
    wine("wine", "reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
    wineserver("-w");
    cpSync(node.bin, nodeFolder, { recursive: true });
  }
  return undefined;
}

function wine(program: string, ...args: string[]): void {
  const { status, error } = spawnSync(program, args, { env: wineEnv(prefix), stdio: "ignore", timeout: 120_000 });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")}: ${error?.message ?? `exit code ${status}`}`);
}

function wineserver(option: "-k" | "-w"): void {
  const program = findPart("wineserver") ?? "/usr/lib/wine/wineserver64";
  // With nothing to end, it says 1.
  spawnSync(program, [option], { env: wineEnv(prefix), stdio: "ignore", timeout: 60_000 });
}
