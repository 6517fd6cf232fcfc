// The package as npm packs it.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmEnv } from "./npm.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface Pack {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; mode: number }[];
}

/** Packs `folder/copy` into `folder`: not the sources themselves, since `prepack` builds, and other tests run what lies in dist/. */
export function packCopy(folder: string): Pack {
  const copy = join(folder, "copy");
  for (const name of readdirSync(root)) {
    if (["node_modules", "dist", "test", ".git"].includes(name)) continue;
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  // The bench uses them. Their like must not end up in the package.
  for (const name of ["support", "recorded-runs"]) {
    cpSync(join(root, "test", name), join(copy, "test", name), { recursive: true });
  }
  writeFileSync(join(copy, "test", "some.test.ts"), "");
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const args = ["pack", "--json", "--pack-destination", folder];
  const output = execFileSync("npm", args, { cwd: copy, env: npmEnv(), encoding: "utf8" });
  const [packed] = JSON.parse(output) as Pack[];
  if (packed === undefined) throw new Error(`npm pack said ${output}`);
  return packed;
}
