// What the user has been told once already, by a key that changes with what there is to tell.
import { join } from "node:path";
import { readIfThere } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";

const maxNotices = 200;

function pathOf(layout: Layout): string {
  return join(layout.root, "notices.json");
}

export function isKnownNotice(layout: Layout, key: string): boolean {
  return readNotices(layout).includes(key);
}

export function rememberNotice(layout: Layout, key: string): void {
  writeWholeSoon(pathOf(layout), JSON.stringify([...readNotices(layout), key].slice(-maxNotices)));
}

function readNotices(layout: Layout): string[] {
  try {
    const parsed: unknown = JSON.parse(readIfThere(pathOf(layout)) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === "string") : [];
  } catch {
    // A torn file costs one repeated notice.
    return [];
  }
}
