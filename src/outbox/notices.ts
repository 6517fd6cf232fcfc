import { join } from "node:path";
import { readIfThere, writeWhole } from "../system/files.ts";
import type { Layout } from "./layout.ts";

/** What the person has been told once already, by a key that changes with what there is to tell. */
const maxNotices = 200;

function pathOf(layout: Layout): string {
  return join(layout.root, "notices.json");
}

/** True the first time it is asked about a key; from then on, and after a restart, false. */
export function isNewNotice(layout: Layout, key: string): boolean {
  let known: string[] = [];
  try {
    const parsed: unknown = JSON.parse(readIfThere(pathOf(layout)) ?? "[]");
    if (Array.isArray(parsed)) known = parsed.filter((item) => typeof item === "string");
  } catch {
    // A torn file costs one repeated notice.
  }
  if (known.includes(key)) return false;
  writeWhole(pathOf(layout), JSON.stringify([...known, key].slice(-maxNotices)));
  return true;
}
