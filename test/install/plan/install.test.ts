// What init plans for Claude Code's settings where our hooks or a person's stand in them.
import { describe, expect, it } from "vitest";
import { bytes, hooksAsRun, installation, ownCommand, textOf, uninstall, install } from "../round-trip/install.ts";

describe("planInstall", () => {
  it("replaces an older installation's command in its place and keeps what stands around it", () => {
    const old = { nodePath: "/opt/node18/bin/node", hookPath: "/opt/node18/lib/node_modules/hookbell/dist/hook.cjs" };
    const before = install("claude-code", { "settings.json": bytes('{\n  "model": "x"\n}\n') }, { from: old });
    const after = install("claude-code", before.files);
    expect(textOf(after.files["settings.json"])).toBe(
      textOf(before.files["settings.json"])?.replaceAll(
        `${old.nodePath} ${old.hookPath}`,
        `${installation.nodePath} ${installation.hookPath}`,
      ),
    );
  });

  it("gives the first original back after an update that no one came between", () => {
    const old = { nodePath: "/opt/node18/bin/node", hookPath: "/opt/node18/lib/node_modules/hookbell/dist/hook.cjs" };
    const original = bytes('{ "model":"x" }');
    const first = install("claude-code", { "settings.json": original }, { from: old });
    const second = install("claude-code", first.files, { earlier: first.records });
    expect(
      uninstall("claude-code", second.files, second.records, { "settings.json": original })["settings.json"],
    ).toEqual(original);
  });

  it("does not give a hook back that called us before", () => {
    const text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookbell hook"}]}]}}';
    const { files, records, originals } = install("claude-code", { "settings.json": bytes(text) });
    expect(textOf(uninstall("claude-code", files, records, originals)["settings.json"])).not.toContain("hook.cjs");
    expect(textOf(uninstall("claude-code", files, records, originals)["settings.json"])).not.toContain("hookbell");
  });

  it("keeps an event for which the person calls us beyond ours", () => {
    const text = `{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"hookbell hook","timeout":5}]}]}}`;
    const { files } = install("claude-code", { "settings.json": bytes(text) });
    expect(hooksAsRun("claude-code", files).PermissionRequest).toEqual([
      { hooks: [{ type: "command", command: ownCommand("claude-code"), timeout: 5 }] },
    ]);
  });

  it("keeps a matcher and other settings of the person's around our hook", () => {
    const text = `{"hooks":{"Notification":[{"matcher":"idle_prompt","hooks":[{"type":"command","command":"hookbell","timeout":3,"statusMessage":"x"}]}]}}`;
    const { files } = install("claude-code", { "settings.json": bytes(text) });
    expect(hooksAsRun("claude-code", files).Notification).toEqual([
      {
        matcher: "idle_prompt",
        hooks: [{ type: "command", command: ownCommand("claude-code"), timeout: 3, statusMessage: "x" }],
      },
    ]);
  });
});
