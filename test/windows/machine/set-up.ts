// Sets up Wine once for a run of the tests on Windows: its drive C:, with Node where its installer puts it.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { fetchNode } from "../../../scripts/node-versions.mjs";
import { endWindows, makeWindows } from "../../../scripts/tests/wine.mjs";
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
const prefix = join(cache, `node-${nodeVersion}`);

/** Vitest's global set-up. What comes back runs after all tests, and ends what is left on this Windows. */
export function setup({ provide }: TestProject): () => void {
  provide("winePrefix", prefix);
  const missing = findPart("wine") === undefined ? "wine" : prepare();
  provide("missingForWindows", missing);
  return () => {
    if (missing === undefined) endWindows(prefix);
  };
}

function prepare(): string | undefined {
  const node = fetchNode(nodeVersion, "win");
  if ("missing" in node) return `Node for Windows (${node.missing})`;
  makeWindows(prefix, node.bin);
  return undefined;
}
