// `doctor` says of Codex that it skips hooks which no one has approved, until they have been called.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { doctor } from "../../../src/commands/doctor/doctor.ts";
import { init } from "../../../src/commands/init/init.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { wings } from "../../../src/wings/index.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const skipped = /Codex has no record that you approved these hooks, and skips them without a word: ([\w, ]+)/;

it("names the hooks of Codex without an approval, and none that is approved or was called", async () => {
  const home = temporaryFolder();
  const env = { HOME: home, PATH: "", HOOKBELL_STATE_DIR: join(home, "state") };
  let said = "";
  const io = commandIo(home, { env, stdout: (text) => void (said += text) });
  const namedBy = async (): Promise<string[]> => {
    said = "";
    await doctor(["--json"], io, wings);
    return skipped.exec(said)?.[1]?.split(", ") ?? [];
  };
  mkdirSync(join(home, ".codex"));
  await init(["--agent", "codex", "--yes"], io);
  const file = join(home, ".codex/hooks.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
  const events = Object.keys(hooks);
  expect(events).toContain("PermissionRequest");
  expect(await namedBy()).toEqual(events);

  const approve = (names: readonly string[]): void => {
    const tables = names.map((name) => {
      const key = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      return `[hooks.state.${JSON.stringify(`${file}:${key}:0:0`)}]\ntrusted_hash = "sha256:0"\n`;
    });
    writeFileSync(join(home, ".codex/config.toml"), tables.join("\n"));
  };
  /** As Codex 0.171.0 has written it for this very hook. */
  const approveTruly = (names: readonly string[]): void => {
    approve(names);
    const config = join(home, ".codex/config.toml");
    const real = "sha256:52aaa45df4399b2ff842410f9b2b5e8bfb1ccb7e94afbf125a4e0cef4228da7b";
    writeFileSync(
      config,
      readFileSync(config, "utf8").replace(/(:stop:0:0"\]\ntrusted_hash = )"[^"]*"/, `$1"${real}"`),
    );
  };
  approve(events.filter((name) => name !== "Stop"));
  expect(await namedBy()).toEqual(["Stop"]);
  approve(events);
  expect(await namedBy()).toEqual([]);

  // The others were approved in another form; only where none fits is the form itself not known.
  const command = '"$HOME"/.local/state/hookbell/hookbell-hook.sh --agent codex';
  const asWritten = readFileSync(file, "utf8");
  writeFileSync(file, asWritten.replaceAll(/"command": "(?:[^"\\]|\\.)*"/g, `"command": ${JSON.stringify(command)}`));
  approveTruly(events);
  expect(await namedBy()).toEqual([]);
  expect(/not as you approved them: ([\w, ]+)/.exec(said)?.[1]?.split(", ")).toEqual(
    events.filter((name) => name !== "Stop"),
  );
  writeFileSync(file, asWritten);

  approve([]);
  utimesSync(file, new Date(1000), new Date(1000));
  writeSession(layoutOf(join(home, "state")), recordOf({ agent: "codex", session: "s1", lastSeenAt: 2_000_000 }));
  expect(await namedBy()).toEqual([]);
});
