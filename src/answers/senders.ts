// Who may answer through a channel: accounts that were paired at the terminal, by the service's own id.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../outbox/layout.ts";
import { ensurePrivateDir } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";

const sendersSchema = z.lazy(() =>
  z.record(z.string(), z.array(z.object({ type: z.string(), id: z.string(), name: z.string(), pairedAt: z.number() }))),
);
export type Sender = z.infer<typeof sendersSchema>[string][number];

function pathOf({ root }: Pick<Layout, "root">): string {
  return join(root, "senders.json");
}

function readAll(layout: Pick<Layout, "root">): Record<string, Sender[]> {
  // If the file cannot be read, no account may answer.
  return readJson(pathOf(layout), sendersSchema) ?? {};
}

/** `type` is the channel's: ids of another service mean other people. */
export function sendersOf(layout: Pick<Layout, "root">, channel: string, type: string): Sender[] {
  const all = readAll(layout);
  return Object.hasOwn(all, channel) ? (all[channel] ?? []).filter((each) => each.type === type) : [];
}

export function addSender(layout: Pick<Layout, "root">, channel: string, sender: Sender): void {
  const others = sendersOf(layout, channel, sender.type).filter(({ id }) => id !== sender.id);
  ensurePrivateDir(layout.root);
  writeWhole(pathOf(layout), JSON.stringify({ ...readAll(layout), [channel]: [...others, sender] }));
}

/** False when there was none. */
export function removeSenders(layout: Pick<Layout, "root">, channel: string): boolean {
  const { [channel]: removed = [], ...others } = readAll(layout);
  if (removed.length > 0) writeWhole(pathOf(layout), JSON.stringify(others));
  return removed.length > 0;
}
