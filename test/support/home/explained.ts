// What `hookbell explain` says of a payload under a rules file, and the rules files of docs/reference/RECIPES.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { explain } from "../../../src/commands/explain/explain.ts";
import { createFakeClock } from "../fake-clock.ts";
import { commandIo } from "../project/command-io.ts";
import { temporaryFolder } from "../project/temporary-state.ts";

export interface Explained {
  event: { name: string; title?: string };
  deliveries: { channel: string; title: string; level: string; at?: string; held?: string }[];
}

/** A Monday at noon, local time. */
export const usualTime = "2026-11-23 12:00";

export async function explained(rules: string, payload: string, flags: readonly string[]): Promise<Explained> {
  const home = temporaryFolder();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put(".config/hookbell/rules.jsonc", rules);
  put("payload.json", payload);
  let stdout = "";
  const io = commandIo(home, {
    stdout: (text) => (stdout += text),
    clock: createFakeClock(new Date(usualTime).getTime()),
  });
  const at = flags.includes("--at") ? [] : ["--at", usualTime];
  const exitCode = await explain([...at, ...flags, "--json", join(home, "payload.json")], io);
  if (exitCode !== 0) throw new Error(`explain ended with ${exitCode}: ${stdout}`);
  return JSON.parse(stdout) as Explained;
}

export interface Recipe {
  title: string;
  rules: string;
  /** The lines of the table below it, without its head. */
  lines: string[];
}

export function readRecipes(): Recipe[] {
  const document = readFileSync(new URL("../../../docs/reference/RECIPES.md", import.meta.url), "utf8");
  return document
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = ""] = section.split("\n");
      const [, rules = ""] = /^```jsonc\n([\s\S]*?)^```/m.exec(section) ?? [];
      const lines = section.split("\n").filter((line) => line.startsWith("|"));
      return { title, rules, lines: lines.slice(2) };
    });
}
