// What became of each channel's listener, for `doctor`: one small file for each channel, in listeners/.
import { join } from "node:path";
import * as z from "zod";
import { printableLine } from "../model/text.ts";
import type { Layout } from "../outbox/layout.ts";
import { sha256 } from "../system/crypto.ts";
import { ensurePrivateDir, listNames } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";

const stateSchema = z.lazy(() =>
  z.object({
    channel: z.string(),
    type: z.string(),
    /** When this began, in milliseconds since the epoch. */
    at: z.number(),
    /** `stopped`: no question is open any more. */
    what: z.enum(["listens", "stopped", "failed"]),
    /** Why it failed. */
    why: z.string().optional(),
  }),
);
export type ListenerState = z.infer<typeof stateSchema>;

const ending = ".state";

function pathOf({ root }: Pick<Layout, "root">, { channel, type }: Pick<ListenerState, "channel" | "type">): string {
  return join(listenersFolder({ root }), `${sha256(`${type}\n${channel}`).slice(0, 32)}${ending}`);
}

/** Locks of credentials are in the same folder. */
export function listenersFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "listeners");
}

/** The note only informs: a disk that takes none stops no listener. */
export function noteListener(layout: Pick<Layout, "root">, state: ListenerState): void {
  try {
    ensurePrivateDir(listenersFolder(layout));
    writeWholeSoon(pathOf(layout, state), JSON.stringify(state));
  } catch {
    // `doctor` reports such a disk.
  }
}

export function listListeners(layout: Pick<Layout, "root">): ListenerState[] {
  const names = listNames(listenersFolder(layout)).filter((name) => name.endsWith(ending));
  return names.flatMap((name) => readJson(join(listenersFolder(layout), name), stateSchema) ?? []);
}

/** Why an answer to one of these questions could not come: a line for each listener that failed. */
export function deafListeners(layout: Pick<Layout, "root">, open: readonly { askedAt: number }[]): string[] {
  const since = Math.min(...open.map(({ askedAt }) => askedAt));
  const deaf = listListeners(layout).filter(({ what, at }) => what === "failed" && at >= since);
  return deaf.map(({ channel, why }) => printableLine(`no answer comes from ${channel}: ${why}`) + "\n");
}
