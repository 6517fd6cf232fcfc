// The command around the replay: its words, its JSON, and its errors.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { replay } from "../../../src/wings/replay/command.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout, layoutOf } from "../../../src/outbox/layout.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const now = new Date(2026, 10, 23, 12).getTime();

function prepare() {
  const home = temporaryFolder();
  let out = "";
  const io = commandIo(home, {
    clock: { now: () => now, after: () => () => {} },
    stdout: (text) => void (out += text),
  });
  const layout = layoutOf(io.places.stateDir);
  ensureLayout(layout);
  const rules = (name: string, rule: object): string => {
    const file = name === "own" ? io.places.rulesFile : join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    const channels = { phone: { type: "webhook", url: "http://127.0.0.1:9/x" } };
    const text = JSON.stringify({ channels, rules: [{ name: "done", notify: ["phone"], ...rule }] });
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const run = async (...args: string[]): Promise<string> => {
    out = "";
    await replay(args, io);
    return out;
  };
  const told = (id: string, minutesAgo: number): void => {
    const at = now - minutesAgo * 60_000;
    const event = {
      id,
      name: "Stop",
      agent: "claude-code",
      session: id,
      cwd: "/srv/shop",
      project: "shop",
      host: "desk",
    };
    const deliveries = [{ id: `msg_${id}`, channel: "phone", rule: "done" }];
    const attempt = { delivery: `msg_${id}`, event: id, channel: "phone", attempt: 1, outcome: "delivered" };
    writeJournal(
      layout,
      at,
      {
        kind: "event",
        event: { ...event, at: new Date(at).toISOString(), level: "success", message: "All done" },
        known: {},
      },
      { kind: "decision", event: id, rules: [], deliveries, silent: [] },
      {
        kind: "attempt",
        ...attempt,
        about: { agent: "claude-code", project: "shop", event: "Stop", words: "All done" },
      },
    );
  };
  return { run, rules, told, home };
}

it("says what other rules would have sent, and names what differs", async () => {
  const { run, rules, told } = prepare();
  rules("own", { when: { event: "Stop" } });
  told("evt_1", 30);
  told("evt_2", 20);
  const none = rules("none.jsonc", { when: { event: "SessionEnd" } });
  const text = await run("--since", "1h", "--rules", none);
  expect(text).toContain("2 notifications in the last 1h; these rules: 0 (-100 %); no session asked a question.");
  expect(text).toContain("2 differences:");
  expect(text).toMatch(/gone\s+phone\s+Claude Code · shop · Stop · All done/);
  expect(text).toContain("you count as away");
  expect(JSON.parse(await run("--since", "25m", "--rules", none, "--json"))).toMatchObject({
    events: 1,
    was: { notifications: 1 },
    wouldBe: { notifications: 0 },
    differences: [{ what: "less", event: "evt_2", channel: "phone" }],
  });
});

it("refuses what it cannot replay", async () => {
  const { run, rules, told, home } = prepare();
  await expect(run()).rejects.toMatchObject({ code: "journal.empty", hint: "hookbell init adds the hooks" });
  await expect(run("--since", "soon")).rejects.toThrow('"soon" is not a duration');
  await expect(run("--rules", join(home, "absent.jsonc"))).rejects.toMatchObject({ code: "rules.missing" });
  const broken = rules("broken.jsonc", { when: { evnt: "Stop" }, longerThan: "soon" });
  await expect(run("--rules", broken)).rejects.toMatchObject({
    code: "rules.broken",
    details: { problems: [expect.anything(), expect.anything()] },
  });
  told("evt_1", 120);
  await expect(run("--since", "1h")).rejects.toThrow("no event of the last 1h");
});
