// `hookbell import` and `hookbell init` as a person runs them who comes from another notifier.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { settingsOfPeers } from "../../wings/import/settings-of-peers.ts";

it.each<[tool: keyof typeof settingsOfPeers, program: string]>([
  ["peon-ping", "peon-ping/peon.sh"],
  ["code-notify", "notifier.sh"],
  ["anotifier", "notify.mjs"],
  ["ccnotify", "ccnotify.py"],
])(
  "%s: its hooks go but for those that no rule replaces, hookbell's come, and its rules decide",
  async (tool, program) => {
    const project = temporaryProject();
    // The built program does the same as the commands within the test.
    const run = tool === "ccnotify" ? project.run : project.command;
    for (const [path, text] of Object.entries(settingsOfPeers[tool])) {
      mkdirSync(dirname(join(project.home, path)), { recursive: true });
      writeFileSync(join(project.home, path), text.replaceAll("{home}", project.home.replaceAll("\\", "/")));
    }
    const hookCommands = (): string[] => {
      const { hooks } = JSON.parse(readFileSync(join(project.home, ".claude/settings.json"), "utf8")) as {
        hooks: Record<string, { hooks: { command: string }[] }[]>;
      };
      // What a person wrote around the tool stays.
      const all = Object.entries(hooks).flatMap(([event, entries]) =>
        // hookbell has no rule for a failed shell command.
        event === "PostToolUseFailure" ? [] : entries.flatMap(({ hooks }) => hooks),
      );
      return all.map(({ command }) => command).filter((command) => !command.includes("|"));
    };
    expect(hookCommands().some((command) => command.includes(program))).toBe(true);
    expect(await run(["import", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["init", "--agent", "claude-code", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(hookCommands().filter((command) => command.includes(program))).toEqual([]);
    expect(readFileSync(join(project.home, ".claude/settings.json"), "utf8")).toContain("hookbell-hook.");
    expect(await run(["check"])).toMatchObject({ code: 0, stderr: "" });
    const explained = await run(
      ["explain", "--agent", "claude-code", "--json", "--session-age", "1m"],
      payloadOf("Stop"),
    );
    const { deliveries } = JSON.parse(explained.stdout) as { deliveries: { channel: string }[] };
    expect(deliveries.map(({ channel }) => channel)).toContain("desktop");
  },
);
