// What is known of each session: its turn, its last events, and what it shows on a screen.
import { join } from "node:path";
import * as z from "zod";
import { agentTerminalSchema } from "../model/agent-terminal.ts";
import { readIfThere } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";
import { sha256 } from "../system/crypto.ts";

/** Times are milliseconds since the epoch. */
const seenEventSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    at: z.number(),
    name: z.string(),
    key: z.string(),
    /** By wiring: the id that it came under. */
    ways: z.record(z.string(), z.string()),
    channels: z.array(z.string()),
    /** A digest of the payload, where it has an id or a time of the agent's. */
    payload: z.string().optional(),
  }),
);
export type SeenEvent = z.infer<typeof seenEventSchema>;

const sessionRecordSchema = z.lazy(() =>
  z.object({
    agent: z.string(),
    session: z.string(),
    lastSeenAt: z.number(),
    /** Absent between turns. */
    turnStartedAt: z.number().optional(),
    turn: z.string().optional(),
    /** What the agent asked in this turn, oldest first: a Notification that follows may not say it. */
    requests: z.array(z.object({ text: z.string(), at: z.number() })).optional(),
    /** The session that started this one as a helper; "unknown" where the agent does not say which. */
    helperOf: z.string().optional(),
    /** Sessions that this one started as helpers and that have not ended. */
    helpers: z.array(z.object({ session: z.string(), since: z.number() })).optional(),
    /** Looked for only while a channel needs it. */
    terminal: agentTerminalSchema.optional(),
    /** Of the last seconds, oldest first. */
    recent: z.array(seenEventSchema).optional(),
    /** By channel: what its last delivery asked to remember. */
    remembered: z.record(z.string(), z.record(z.string(), z.string())),
  }),
);
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

function pathOf(layout: Layout, agent: string, session: string): string {
  const digest = sha256(`${agent}\n${session}`).slice(0, 32);
  return join(layout.sessions, `${digest}.json`);
}

/** A torn record is a blank one. */
export function readSession(layout: Layout, agent: string, session: string): SessionRecord {
  const blank: SessionRecord = { agent, session, lastSeenAt: 0, remembered: {} };
  try {
    const text = readIfThere(pathOf(layout, agent, session));
    return text === undefined ? blank : (sessionRecordSchema.safeParse(JSON.parse(text)).data ?? blank);
  } catch {
    return blank;
  }
}

export function writeSession(layout: Layout, record: SessionRecord): void {
  writeWholeSoon(pathOf(layout, record.agent, record.session), JSON.stringify(record));
}
