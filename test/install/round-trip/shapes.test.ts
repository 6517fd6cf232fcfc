import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { countByShape, shapeCorpus, type ShapedFiles } from "./shape-corpus.ts";
import { ownRuns, textOf, unwire, usualEvents, wire, wirings, type Files, type Wired } from "./wire.ts";

const wiredOnce = new Map<ShapedFiles, Wired>();
/** One result for all that is asked of it; nothing changes it. */
function wiredShape(each: ShapedFiles): Wired {
  const wired = wiredOnce.get(each) ?? wire(each.agent, each.files);
  wiredOnce.set(each, wired);
  return wired;
}
const refused = shapeCorpus.filter((each) => each.refused !== undefined);
const sound = shapeCorpus.filter((each) => each.refused === undefined);
const isJson = ({ agent }: ShapedFiles): boolean => wirings[agent].files.length > 0;

/** File by file, as text; what is not there is left out. */
const texts = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, content]) => (content === undefined ? [] : [[name, textOf(content) ?? ""]])),
  );

describe("the corpus of settings files", () => {
  it.each(Object.entries(countByShape()))("has at least forty of the shape %s", (_shape, count) => {
    expect(count).toBeGreaterThanOrEqual(40);
  });

  it("names each file once", () => {
    const names = shapeCorpus.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe("init on every shape", () => {
  it.each(refused)("refuses $name, with what to do", (each) => {
    const { plan } = wiredShape(each);
    expect(plan.problems.map(({ message }) => message).join("\n")).toMatch(each.refused ?? /never/);
    for (const { hint } of plan.problems) expect(hint).not.toBe("");
    expect(plan.changes).toEqual([]);
  });

  it.each(sound)("wires $name once, and has nothing to change the second time", (each) => {
    const wired = wiredShape(each);
    expect(wired.plan.problems).toEqual([]);
    expect(wired.plan.missing).toEqual(wired.plan.events);
    const again = wire(each.agent, wired.files);
    expect(again.plan).toMatchObject({ changes: [], problems: [], missing: [] });
    expect(again.plan.events).toEqual(wired.plan.events);
    expect(wired.plan.events.length).toBeGreaterThan(0);
  });

  it.each(sound.filter((each) => isJson(each) && each.agent !== "kiro"))(
    "makes the agent run us once for each event of $name",
    (each) => {
      const { files } = wiredShape(each);
      for (const event of usualEvents(each.agent)) {
        expect([event, ownRuns(each.agent, files, event)]).toEqual([event, 1]);
      }
    },
  );

  it.each(sound)("gives $name back byte for byte", (each) => {
    const { files, records } = wiredShape(each);
    expect(texts(unwire(each.agent, files, records, each.files))).toEqual(texts(each.files));
  });

  it.each(sound.filter(({ isReversible }) => isReversible !== false))(
    "takes $name back by edits alone when the backup is lost",
    (each) => {
      const { files, records } = wiredShape(each);
      const back = unwire(each.agent, files, records);
      expect(texts(back)).toEqual(texts(each.files));
    },
  );

  it.each(sound.filter(isJson))("keeps what $name says besides, in its words", (each) => {
    for (const { before, after } of wiredShape(each).plan.changes) {
      if (before === undefined || before.trim() === "") continue;
      expect(isSubsequence(before.replace(/[ \t\r\n]+/g, ""), after ?? "")).toBe(true);
      const ends = new Set(before.match(/\r\n|\n|\r/g));
      if (ends.size === 1) expect(new Set(after?.match(/\r\n|\n|\r/g))).toEqual(ends);
      expect(/\s*$/.exec(after ?? "")?.[0]).toBe(/\s*$/.exec(before)?.[0]);
    }
  });
});

describe("the version that an agent asks for", () => {
  it.each(["cursor", "copilot-cli"] as const)("is put in for %s, and goes with the last hook", (agent) => {
    const name = wirings[agent].files[0]?.name ?? "";
    const files: Files = { [name]: new TextEncoder().encode('{\n  "hooks": {}\n}\n') };
    const wired = wire(agent, files);
    expect(parse(textOf(wired.files[name]) ?? "")).toMatchObject({ version: 1 });
    expect(textOf(unwire(agent, wired.files, wired.records)[name])).toBe('{\n  "hooks": {}\n}\n');
  });

  it("stays while others' hooks need it", () => {
    const files: Files = { "hooks.json": new TextEncoder().encode('{"hooks":{"stop":[{"command":"say"}]}}') };
    const wired = wire("cursor", files);
    expect(textOf(unwire("cursor", wired.files, wired.records)["hooks.json"])).toBe(
      '{"hooks":{"stop":[{"command":"say"}]},"version":1}',
    );
  });
});

describe("events that no rule waits for", () => {
  const isWanted = (event: string): boolean => event === "Stop";

  it("are left out, and stay where they are wired already", () => {
    const few = wire("claude-code", {}, { isWanted });
    expect(few.plan.events).toEqual(["Stop"]);
    const all = wire("claude-code", {});
    expect(wire("claude-code", all.files, { isWanted }).plan).toMatchObject({
      changes: [],
      events: usualEvents("claude-code"),
    });
    expect(wire("claude-code", few.files).plan.missing).not.toContain("Stop");
  });

  it("are left out of a plug-in, and of a folder of programs", () => {
    const idle = wire("opencode", {}, { isWanted: (event) => event === "session.idle" });
    expect(textOf(idle.files["plugins/hookbell.js"])).toContain('new Set(["session.idle"])');
    expect(wire("opencode", idle.files).plan.missing).toContain("session.error");
    const done = wire("cline", {}, { isWanted: (event) => event === "TaskComplete" });
    expect(Object.keys(texts(done.files))).toEqual(["TaskComplete"]);
    expect(wire("goose", {}, { isWanted: () => false }).plan.changes).toEqual([]);
  });
});

describe("every agent file of Kiro's", () => {
  const agentFiles: Files = Object.fromEntries(
    ["agents/a.json", "agents/b.json", "cli-agents/q.json"].map((name) => [
      name,
      new TextEncoder().encode(`{"name":${JSON.stringify(name)}}`),
    ]),
  );

  it("is wired, and one that is made later is noticed", () => {
    const wired = wire("kiro", agentFiles);
    expect(wired.plan.changes).toHaveLength(3);
    const later = wire("kiro", { ...wired.files, "agents/c.json": new TextEncoder().encode("{}") });
    expect(later.plan.changes.map(({ source }) => source.path)).toEqual(["/home/me/agents/c.json"]);
    expect(later.plan.missing).toEqual(["stop", "userPromptSubmit", "agentSpawn"]);
  });

  it("must be there", () => {
    expect(wire("kiro", {}).plan.problems[0]?.message).toContain("built-in agents cannot have hooks");
  });
});

describe("large files", () => {
  const history = Array.from({ length: 6000 }, (_, index) => ({
    index,
    text: "some text of the person's that is kept",
  }));

  it.each([
    ["cursor", "hooks.json", { version: 1 }],
    ["kiro", "agents/a.json", {}],
    ["gemini-cli", "settings.json", {}],
  ] as const)("of %s are edited and given back", (agent, name, more) => {
    const text = JSON.stringify({ ...more, history }, undefined, 2);
    expect(text.length).toBeGreaterThan(500_000);
    const wired = wire(agent, { [name]: new TextEncoder().encode(text) });
    expect(wired.plan.problems).toEqual([]);
    expect(textOf(unwire(agent, wired.files, wired.records)[name])).toBe(text);
  });
});

describe("old entries of hookbell", () => {
  const old = { nodePath: "/old/node", hookPath: "/old/lib/node_modules/hookbell/dist/hook.cjs" };

  it.each(["cursor", "copilot-cli", "windsurf", "gemini-cli", "goose"] as const)(
    "of %s are replaced where they stand",
    (agent) => {
      const before = wire(agent, {}, { from: old });
      const after = wire(agent, before.files, { earlier: before.records });
      const renewed = Object.fromEntries(
        Object.entries(texts(before.files)).map(([name, text]) => [
          name,
          text.replaceAll("/old/node ", "/usr/bin/node ").replaceAll("/old/lib/", "/opt/lib/"),
        ]),
      );
      expect(texts(after.files)).toEqual(renewed);
      expect(texts(unwire(agent, after.files, after.records))).toEqual({});
    },
  );

  it("keep what the person set besides", () => {
    const text = '{"version":1,"hooks":{"stop":[{"timeout":3,"command":"hookbell hook","loop_limit":2}]}}';
    const { files } = wire("cursor", { "hooks.json": new TextEncoder().encode(text) }, { isWanted: () => false });
    expect(JSON.parse(texts(files)["hooks.json"] ?? "")).toMatchObject({
      hooks: { stop: [{ timeout: 3, command: expect.stringContaining("--agent cursor") as string, loop_limit: 2 }] },
    });
  });
});

describe("a file of our own", () => {
  const { files } = wire("cline", {});
  const name = "TaskComplete";

  it("that the person changed is left to them by init and uninstall", () => {
    const edited = new TextEncoder().encode(`${textOf(files[name])}echo more\n`);
    const again = wire("cline", { ...files, [name]: edited });
    expect(again.plan).toMatchObject({ changes: [], warnings: [expect.stringContaining("you changed it")] });
    expect(textOf(unwire("cline", { ...files, [name]: edited }, {})[name])).toBe(textOf(edited));
  });

  it("of theirs that calls hookbell counts as wired", () => {
    const text = `#!/bin/sh\ninput=$(cat)\nprintf '%s' "$input" | /x/hookbell-hook.sh --agent cline --event ${name}\n`;
    const theirs = { ...files, [name]: new TextEncoder().encode(text) };
    expect(wire("cline", theirs).plan).toMatchObject({ changes: [], problems: [], warnings: [] });
    expect(textOf(unwire("cline", theirs, {})[name])).toBe(text);
  });

  it("is written anew when hookbell has moved", () => {
    const from = { nodePath: "/usr/bin/node", hookPath: "/new/node_modules/hookbell/dist/hook.cjs" };
    const moved = wire("cline", files, { from });
    expect(moved.plan.problems).toEqual([]);
    expect(textOf(moved.files[name])).toContain("/new/");
  });
});

function isSubsequence(small: string, large: string): boolean {
  let at = 0;
  for (const char of large) {
    if (at < small.length && small.startsWith(char, at)) at += char.length;
  }
  return at === small.length;
}
