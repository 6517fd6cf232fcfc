// `hookbell mute`, `unmute` and `mute --list`, with a clock that stands still.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { mute, unmute } from "../../../src/commands/attention/mute.ts";
import { UserError } from "../../../src/model/errors.ts";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { readMutes } from "../../../src/outbox/attention.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { recordOf } from "../../support/project/session-record.ts";

/** 15:30 in the time zone of the tests' machine. */
const now = new Date(2026, 10, 28, 15, 30).getTime();
const minute = 60_000;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-mute-"));
});

async function run(command: typeof mute, line: string, cwd = "/src/shop-web"): Promise<string> {
  const out: string[] = [];
  // A dispatcher would be started, and find nothing to do.
  const env = { HOME: home, PATH: "", HOOKBELL_DISABLE: "1" };
  const io = commandIo(home, {
    env,
    clock: createFakeClock(now),
    stdout: (text) => out.push(text),
    cwd,
  });
  try {
    await command(
      line.split(" ").filter((word) => word !== ""),
      io,
    );
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    out.push(error.message);
  }
  return out.join("");
}

/** Sessions of the project shop-web. */
function saw(...sessions: string[]): { layout: Layout } {
  const layout = layoutOf(commandIo(home).places.stateDir);
  ensureLayout(layout);
  for (const session of sessions) {
    writeSession(layout, recordOf({ agent: "claude-code", session, project: "shop-web", lastSeenAt: now }));
  }
  return { layout };
}

const muted = () => readMutes(layoutOf(commandIo(home).places.stateDir), now);

describe("mute", () => {
  it("says what it would do if nothing says what or how long, and mutes nothing", async () => {
    expect(await run(mute, "")).toBe("mute stops notifications; say which, or for how long");
    expect(muted()).toEqual([]);
  });

  it.each([
    ["--all", { scope: "all", name: "" }],
    ["2h", { scope: "all", name: "", until: now + 120 * minute }],
    ["15:45", { scope: "all", name: "", until: now + 15 * minute }],
    ["15:30 --agent codex", { scope: "agent", name: "codex", until: new Date(2026, 10, 29, 15, 30).getTime() }],
    ["--project .", { scope: "project", name: "shop-web" }],
    ["--project ./", { scope: "project", name: "shop-web" }],
    ["--project /srv/elsewhere/api/", { scope: "project", name: "api" }],
    ["--project ~/code/api", { scope: "project", name: "api" }],
    // macOS writes the accent after its letter, a keyboard does not; events have the short form.
    ["--project re\u0301sume\u0301", { scope: "project", name: "r\u00E9sum\u00E9" }],
    ["--channel phone 30m", { scope: "channel", name: "phone", until: now + 30 * minute }],
    ["--session s1", { scope: "session", name: "s1" }],
  ])("takes %s", async (line, expected) => {
    expect(await run(mute, line)).toMatch(/^muted: /);
    expect(muted()).toEqual([expected]);
  });

  it.each([
    ["soon", '"soon" is neither a time nor a duration'],
    ["0m", '"0m" is neither a time nor a duration'],
    ["25:00", '"25:00" is neither a time nor a duration'],
    ["--agent codex --project .", "a mute has one target"],
  ])("%s is refused", async (line, message) => {
    expect(await run(mute, line)).toBe(message);
    expect(muted()).toEqual([]);
  });

  it("takes the start or the end of a session's id, as messages show it", async () => {
    const { layout } = saw("bbbb2222-0000-4000", "bbbb3333-0000-4000");
    expect(await run(mute, "30m --session bbbb2222")).toMatch(/^muted: session shop-web \(000-4000\) until [^\n]+\n$/);
    expect(await run(mute, "30m --session bbbb")).toBe('several sessions have ids like "bbbb"');
    saw("019aa001-7000-eec88a01", "019aa001-7000-0de4f2b7");
    expect(await run(mute, "--list")).toMatch(/^session shop-web \(000-4000\) until/);
    expect(await run(mute, "30m --session eec88a01")).toMatch(/^muted: session shop-web \(eec88a01\) until/);
    expect(readMutes(layout, now).map(({ name }) => name)).toEqual(["bbbb2222-0000-4000", "019aa001-7000-eec88a01"]);
  });

  it.each([
    ["--session cccc", "no session of this id has been seen yet; see: hookbell sessions --all"],
    ["--project Shop-Web", "no session of this project has been seen yet; see: hookbell sessions --all"],
    ["--channel nope", 'no channel "nope" is in the rules file'],
  ])("%s says that nothing like it is known", async (line, note) => {
    saw("s1");
    expect(await run(mute, line)).toMatch(/^muted: /);
    expect(await run(mute, line)).toContain(`\nnote: ${note}\n`);
    expect(await run(mute, "--project shop-web")).not.toContain("note:");
  });

  it("the second time changes the end", async () => {
    await run(mute, "2h --project a");
    await run(mute, "30m --project a");
    await run(mute, "1h --project b");
    expect(muted().map(({ name, until = 0 }) => [name, until - now])).toEqual([
      ["a", 30 * minute],
      ["b", 60 * minute],
    ]);
  });

  it("lists what holds", async () => {
    expect(await run(mute, "--list")).toBe("nothing is muted\n");
    await run(mute, "--project a");
    await run(mute, "17:00 --agent codex");
    expect(await run(mute, "--list")).toBe("project a\nagent codex until 17:00\n");
    const until = new Date(2026, 10, 28, 17).toISOString();
    expect(JSON.parse(await run(mute, "--list --json"))).toEqual({
      muted: [
        { scope: "project", name: "a" },
        { scope: "agent", name: "codex", until },
      ],
    });
  });
});

describe("unmute", () => {
  it("ends one, or all", async () => {
    await run(mute, "--project a");
    await run(mute, "--project b");
    await run(mute, "--agent codex");
    expect(await run(unmute, "--project a")).toBe("no longer muted: project a\n");
    expect(muted()).toHaveLength(2);
    expect(await run(unmute, "--project c")).toBe("that is not muted; see: hookbell mute --list\n");
    expect(await run(unmute, "")).toBe("no longer muted: project b\nno longer muted: agent codex\n");
    expect(await run(unmute, "")).toBe("nothing is muted\n");
    await run(mute, "--project a");
    await run(mute, "--all");
    expect(await run(unmute, "--all")).toBe("no longer muted: project a\nno longer muted: everything\n");
  });
});

it("names the project as events do: by its repository, also in a subfolder", async () => {
  const folder = join(home, "shop-web", "src", "cart");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, "shop-web", ".git"));
  writeFileSync(join(home, "shop-web", ".git", "HEAD"), "ref: refs/heads/main\n");
  expect(await run(mute, "--project . 1h", folder)).toMatch(/shop-web/);
});

it("a time of day that is past is tomorrow's, and mute says so", async () => {
  expect(await run(mute, "15:00")).toBe(
    "muted: everything until 15:00 tomorrow, since 15:00 is past today; to end it: hookbell unmute\n",
  );
  expect(await run(mute, "16:00")).toBe("muted: everything until 16:00\n");
  expect(await run(mute, "20h")).toMatch(/^muted: everything until 11:30\n$/);
});
