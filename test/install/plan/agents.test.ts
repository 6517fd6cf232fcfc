// What init and uninstall do for single agents: versions, events that no rule waits for, old entries, files of our own.
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { texts, textOf, uninstall, usualEvents, install, hookSetups, type Files } from "../round-trip/install.ts";

describe("the version that an agent asks for", () => {
  it.each(["cursor", "copilot-cli"] as const)("is put in for %s, and goes with the last hook", (agent) => {
    const name = hookSetups[agent].files[0]?.name ?? "";
    const files: Files = { [name]: new TextEncoder().encode('{\n  "hooks": {}\n}\n') };
    const installed = install(agent, files);
    expect(parse(textOf(installed.files[name]) ?? "")).toMatchObject({ version: 1 });
    expect(textOf(uninstall(agent, installed.files, installed.records)[name])).toBe('{\n  "hooks": {}\n}\n');
  });

  it("stays while others' hooks need it", () => {
    const files: Files = { "hooks.json": new TextEncoder().encode('{"hooks":{"stop":[{"command":"say"}]}}') };
    const installed = install("cursor", files);
    expect(textOf(uninstall("cursor", installed.files, installed.records)["hooks.json"])).toBe(
      '{"hooks":{"stop":[{"command":"say"}]},"version":1}',
    );
  });
});

describe("events that no rule waits for", () => {
  const isWanted = (event: string): boolean => event === "Stop";

  it("are left out, and stay where they are set up already", () => {
    const few = install("claude-code", {}, { isWanted });
    expect(few.plan.events).toEqual(["Stop"]);
    const all = install("claude-code", {});
    expect(install("claude-code", all.files, { isWanted }).plan).toMatchObject({
      changes: [],
      events: usualEvents("claude-code"),
    });
    expect(install("claude-code", few.files).plan.missing).not.toContain("Stop");
  });

  it("are left out of a plug-in, and of a folder of programs", () => {
    const idle = install("opencode", {}, { isWanted: (event) => event === "session.idle" });
    expect(textOf(idle.files["plugins/hookbell.js"])).toContain('new Set(["session.idle"])');
    expect(install("opencode", idle.files).plan.missing).toContain("session.error");
    const done = install("cline", {}, { isWanted: (event) => event === "TaskComplete" });
    expect(Object.keys(texts(done.files))).toEqual(["TaskComplete"]);
    expect(install("goose", {}, { isWanted: () => false }).plan.changes).toEqual([]);
  });
});

describe("every agent file of Kiro's", () => {
  const agentFiles: Files = Object.fromEntries(
    ["agents/a.json", "agents/b.json", "cli-agents/q.json"].map((name) => [
      name,
      new TextEncoder().encode(`{"name":${JSON.stringify(name)}}`),
    ]),
  );

  it("is set up, and one that is made later is noticed", () => {
    const installed = install("kiro", agentFiles);
    expect(installed.plan.changes).toHaveLength(3);
    const later = install("kiro", { ...installed.files, "agents/c.json": new TextEncoder().encode("{}") });
    expect(later.plan.changes.map(({ source }) => source.path)).toEqual(["/home/me/agents/c.json"]);
    expect(later.plan.missing).toEqual(["stop", "userPromptSubmit", "agentSpawn"]);
  });

  it("must be there", () => {
    expect(install("kiro", {}).plan.problems[0]?.message).toContain("built-in agents cannot have hooks");
  });
});

describe("old entries of hookbell", () => {
  const old = { nodePath: "/old/node", hookPath: "/old/lib/node_modules/hookbell/dist/hook.cjs" };

  it.each(["cursor", "copilot-cli", "windsurf", "gemini-cli", "goose"] as const)(
    "of %s are replaced where they stand",
    (agent) => {
      const before = install(agent, {}, { from: old });
      const after = install(agent, before.files, { earlier: before.records });
      const renewed = Object.fromEntries(
        Object.entries(texts(before.files)).map(([name, text]) => [
          name,
          text.replaceAll("/old/node ", "/usr/bin/node ").replaceAll("/old/lib/", "/opt/lib/"),
        ]),
      );
      expect(texts(after.files)).toEqual(renewed);
      expect(texts(uninstall(agent, after.files, after.records))).toEqual({});
    },
  );

  it("keep what the person set besides", () => {
    const text = '{"version":1,"hooks":{"stop":[{"timeout":3,"command":"hookbell hook","loop_limit":2}]}}';
    const { files } = install("cursor", { "hooks.json": new TextEncoder().encode(text) }, { isWanted: () => false });
    expect(JSON.parse(texts(files)["hooks.json"] ?? "")).toMatchObject({
      hooks: { stop: [{ timeout: 3, command: expect.stringContaining("--agent cursor") as string, loop_limit: 2 }] },
    });
  });
});

describe("a file of our own", () => {
  const { files } = install("cline", {});
  const name = "TaskComplete";

  it("that the person changed is left to them by init and uninstall", () => {
    const edited = new TextEncoder().encode(`${textOf(files[name])}echo more\n`);
    const again = install("cline", { ...files, [name]: edited });
    expect(again.plan).toMatchObject({ changes: [], warnings: [expect.stringContaining("you changed it")] });
    expect(textOf(uninstall("cline", { ...files, [name]: edited }, {})[name])).toBe(textOf(edited));
  });

  it("of theirs that calls hookbell counts as installed", () => {
    const text = `#!/bin/sh\ninput=$(cat)\nprintf '%s' "$input" | /x/hookbell-hook.sh --agent cline --event ${name}\n`;
    const theirs = { ...files, [name]: new TextEncoder().encode(text) };
    expect(install("cline", theirs).plan).toMatchObject({ changes: [], problems: [], warnings: [] });
    expect(textOf(uninstall("cline", theirs, {})[name])).toBe(text);
  });

  it("is written anew when hookbell has moved", () => {
    const from = { nodePath: "/usr/bin/node", hookPath: "/new/node_modules/hookbell/dist/hook.cjs" };
    const moved = install("cline", files, { from });
    expect(moved.plan.problems).toEqual([]);
    expect(textOf(moved.files[name])).toContain("/new/");
  });
});
