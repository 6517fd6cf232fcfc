// The list of sessions that wait, as each channel shows it: where it is, and which questions are in it.
import { join } from "node:path";
import * as z from "zod";
import { removeIfThere } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Layout } from "../layout.ts";
import { listsOfRc1, removeListsOfRc1 } from "./rc1.ts";

const listsSchema = z.lazy(() =>
  z.record(
    z.string(),
    z.object({
      /** What the channel's last list asked to remember. */
      reference: z.record(z.string(), z.string()).optional(),
      /** Names the questions in the list. */
      key: z.string().optional(),
    }),
  ),
);
export type ListRecord = z.infer<typeof listsSchema>[string];

const pathOf = (layout: Layout): string => join(layout.root, "lists.json");

/** The key is the channel. A file that cannot be read shows no list, so the next one is a new message. */
export function readLists(layout: Layout): Map<string, ListRecord> {
  return new Map(Object.entries(readJson(pathOf(layout), listsSchema) ?? listsOfRc1(layout)));
}

/** What is new of the channel's list; the rest stays. */
export function noteList(layout: Layout, channel: string, news: ListRecord): void {
  const lists = readLists(layout);
  write(layout, lists.set(channel, { ...lists.get(channel), ...news }));
}

export function forgetList(layout: Layout, channel: string): void {
  const lists = readLists(layout);
  if (lists.delete(channel)) write(layout, lists);
}

function write(layout: Layout, lists: ReadonlyMap<string, ListRecord>): void {
  if (lists.size === 0) removeIfThere(pathOf(layout));
  else writeWholeSoon(pathOf(layout), JSON.stringify(Object.fromEntries(lists)));
  removeListsOfRc1(layout);
}
