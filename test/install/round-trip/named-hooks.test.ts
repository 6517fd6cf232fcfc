// Hooks below a key of hookbell's own, beside those of other programs: what init adds goes again, and the rest stays.
import { describe, expect, it } from "vitest";
import { bytes, ownCommand, textOf, uninstall, install, type Files } from "./install.ts";

const agent = "antigravity";
const name = "hooks.json";
const filesOf = (text: string): Files => ({ [name]: bytes(text) });
const after = (files: Files): string | undefined => textOf(files[name]);

const entry = { type: "command", command: ownCommand(agent), timeout: 10 };
const others = {
  hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "guard" }] }] },
  "desktop-notify": { Stop: [{ type: "command", command: "say done" }] },
};
const texts = {
  "hooks of others": JSON.stringify(others, undefined, 2),
  "hooks of others, in one line": `${JSON.stringify(others)}\n`,
  "a key of hookbell's without events": '{ "hookbell": {} }\n',
  "a hook of a person's under the key": '{"hookbell":{"enabled":true,"Stop":[{"type":"command","command":"log"}]}}',
  "an empty object": "{}\n",
};

describe("hooks under a key of hookbell's own", () => {
  it("are all that is in a new file", () => {
    const { files, plan } = install(agent, {});
    expect(plan.problems).toEqual([]);
    expect(JSON.parse(after(files) ?? "")).toEqual({ hookbell: { Stop: [entry] } });
  });

  it.each(Object.entries(texts))("are added to %s, once", (_what, text) => {
    const { files, plan } = install(agent, filesOf(text));
    expect(plan.problems).toEqual([]);
    const { hookbell, ...rest } = JSON.parse(after(files) ?? "") as Record<string, { Stop: unknown[] }>;
    const { hookbell: _, ...before } = JSON.parse(text) as Record<string, unknown>;
    expect(hookbell?.Stop.at(-1)).toEqual(entry);
    expect(rest).toEqual(before);
    expect(install(agent, files).plan).toMatchObject({ changes: [], problems: [], missing: [] });
  });

  it.each(Object.entries(texts))("leave %s byte for byte, with the backup and without", (_what, text) => {
    const installed = install(agent, filesOf(text));
    expect(after(uninstall(agent, installed.files, installed.records, installed.originals))).toBe(text);
    expect(after(uninstall(agent, installed.files, installed.records))).toBe(text);
  });

  it.each([
    ["the key twice", '{"hookbell":{},"hookbell":{}}', /"hookbell" is here twice/],
    ["an array under the key", '{"hookbell":[]}', /"hookbell" must be an object/],
    ["an event that is an object", '{"hookbell":{"Stop":{}}}', /"Stop" must be an array/],
  ])("are not written for %s", (_what, text, refused) => {
    const { plan } = install(agent, filesOf(text));
    expect(plan.problems.map(({ message }) => message).join("\n")).toMatch(refused);
    expect(plan.changes).toEqual([]);
  });

  it("are reported as switched off where they are", () => {
    const { plan } = install(agent, filesOf('{"hookbell":{"enabled":false}}'));
    expect(plan.warnings.join("\n")).toContain('"hookbell.enabled" is false');
  });
});
