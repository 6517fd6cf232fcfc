// Whether the page of `hookbell serve` is open to this state folder's questions: its server leaves a note.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../../outbox/layout.ts";
import { ensurePrivateDir, removeIfThere } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import { isAlive, ownPid, startOf } from "../../system/process/identity.ts";
import { version } from "../../system/version.ts";
import { listDevices } from "./devices.ts";

/** What people read where others read a channel's name. No channel can have this name. */
export const pageName = "the page";

const noteSchema = z.lazy(() =>
  z.object({
    /** The address by which browsers reach the page, such as `http://127.0.0.1:8765`. */
    origin: z.string(),
    pid: z.number(),
    start: z.string().optional(),
    /** A server goes on with the version of hookbell that it was started with. */
    version: z.string().optional(),
  }),
);

export interface PageServer {
  origin: string;
  pid: number;
  version?: string | undefined;
}

function pathOf({ root }: Pick<Layout, "root">): string {
  return join(root, "page.json");
}

export function notePage(layout: Pick<Layout, "root">, origin: string): void {
  ensurePrivateDir(layout.root);
  writeWhole(pathOf(layout), JSON.stringify({ origin, pid: ownPid, start: startOf(ownPid), version }));
}

/** Leaves the note of another server that has started meanwhile. */
export function removePageNote(layout: Pick<Layout, "root">): void {
  if (readJson(pathOf(layout), noteSchema)?.pid === ownPid) removeIfThere(pathOf(layout));
}

/** The server of the page; undefined if none runs. */
export function pageServer(layout: Pick<Layout, "root">): PageServer | undefined {
  const note = readJson(pathOf(layout), noteSchema);
  return note !== undefined && isAlive(note.pid) && startOf(note.pid) === note.start ? note : undefined;
}

export function pageOrigin(layout: Pick<Layout, "root">): string | undefined {
  return pageServer(layout)?.origin;
}

/** Whether a person can answer there, so that a hook waits also if no channel carries answers. */
export function canAnswerOnPage(layout: Pick<Layout, "root">): boolean {
  return pageOrigin(layout) !== undefined && listDevices(layout).some(({ rights }) => rights.includes("answer"));
}
