// Sessions as 1.0.0-rc.1 left them on the disk, read by the commands of now: the same states, questions and counts, in the words of now.
// A dispatcher built from commit 14ba2789 wrote the records while it replayed test/recorded-runs/, and while it was given events
// of each state on a clock of its own; records of another shape than all before were kept, with what `sessions --all --json`,
// `board --json` and `status` of that build said later on these records alone.
// Three of four moments have the records without processes and terminals, which have ended since.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { listSessions, writeSession } from "../../../src/outbox/sessions.ts";
import { stateWords } from "../../../src/sessions/describe.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { everyRow } from "../../support/rows.ts";

type Row = Record<string, unknown> & { session: string; state: string };

interface Moment {
  run: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Which of the records. */
  records: number[];
  /** What 1.0.0-rc.1 printed. */
  rows: Row[];
  live: string[];
  board: string[];
  status: { asking?: unknown; failed?: unknown };
  line: string;
}

const { records, moments } = JSON.parse(
  gunzipSync(readFileSync(new URL("rc1-sessions.json.gz", import.meta.url))).toString(),
) as { records: [file: string, text: string][]; moments: Moment[] };

/** The state folder with these records, and a command of now on it at that moment. */
function stateWith({ at }: Pick<Moment, "at">, files: readonly (readonly [file: string, text: string])[]) {
  const home = temporaryFolder();
  const layout = layoutOf(join(home, "state"));
  mkdirSync(layout.sessions, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(layout.sessions, file), text);
  const command = async (...args: string[]): Promise<string> => {
    let said = "";
    const hear = (text: string): void => void (said += text);
    const env = { HOME: home, PATH: "", HOOKBELL_STATE_DIR: layout.root };
    const io = commandIo(home, { env, clock: createFakeClock(at), stdout: hear, stderr: hear });
    expect(await runCommandLine(args, io)).toBe(0);
    return said;
  };
  return { layout, command };
}

const rowsIn = (json: string): Row[] => (JSON.parse(json) as { sessions: Row[] }).sessions;

const names: Readonly<Record<string, string>> = {
  helperOf: "subagentOf",
  helpers: "subagents",
  told: "notified",
  whyNotTold: "whyNotNotified",
};
const states: Readonly<Record<string, string>> = {
  waitsForHelpers: "waitsForSubagents",
  helpers: "waitsForSubagents",
  gone: "ended",
};

/** In the words of now. */
function inWordsOfNow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inWordsOfNow);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isWord = (name === "state" || name === "group") && typeof each === "string";
      return [names[name] ?? name, isWord ? (states[each] ?? each) : inWordsOfNow(each)];
    }),
  );
}

describe("sessions of 1.0.0-rc.1", () => {
  it("are of every state", () => {
    const kinds = new Set(records.map(([, text]) => (JSON.parse(text) as { state: { kind: string } }).state.kind));
    expect([...kinds].sort()).toEqual(Object.keys(stateWords).sort());
    expect([records.length, moments.length]).toEqual([143, 127]);
  });

  it("have the same state, and all that was known of them", () =>
    everyRow(moments, async (moment) => {
      const { command } = stateWith(
        moment,
        moment.records.map((index) => records[index] ?? ["", ""]),
      );
      // A session's name is made in another way since then.
      const unnamed = (row: unknown): unknown => ({ ...(row as object), place: "" });
      const rows = rowsIn(await command("sessions", "--all", "--json"));
      expect(rows.map(unnamed)).toEqual(moment.rows.map(inWordsOfNow).map(unnamed));
      const ids = async (...args: string[]): Promise<string[]> =>
        rowsIn(await command(...args)).map(({ session }) => session);
      expect(await ids("sessions", "--json")).toEqual(moment.live);
      expect(await ids("board", "--json")).toEqual(moment.board);
      expect(JSON.parse(await command("status", "--json"))).toMatchObject(moment.status);
      expect((await command("status", "--line")).trimEnd()).toBe(moment.line);
    }));

  it("are the same when they are written again", () =>
    everyRow(moments, async (moment) => {
      const { layout, command } = stateWith(
        moment,
        moment.records.map((index) => records[index] ?? ["", ""]),
      );
      const before = await command("sessions", "--all", "--json");
      for (const record of listSessions(layout)) writeSession(layout, record);
      expect(await command("sessions", "--all", "--json")).toBe(before);
    }));

  it("are of unknown state if a later hookbell wrote a state that no one knows here", async () => {
    const [file = "", text = ""] = records.find(([, each]) => each.includes('"session":"c-asks"')) ?? [];
    const record = JSON.parse(text) as { session: string; lastSeenAt: number; state: object };
    const dreams = { ...record, state: { ...record.state, kind: "dreams" } };
    const { command } = stateWith({ at: record.lastSeenAt + 1000 }, [[file, JSON.stringify(dreams)]]);
    const rows = rowsIn(await command("sessions", "--all", "--json"));
    expect(rows).toMatchObject([{ session: record.session, state: "unknown" }]);
    expect(await command("sessions")).toMatch(/unknown/);
  });
});
