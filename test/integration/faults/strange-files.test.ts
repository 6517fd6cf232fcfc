// State folders in which everything that hookbell reads is something else.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JournalEntry } from "../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

/** What may lie where hookbell's file should; a link to itself can be read by no one, not even by root. */
const strange: [name: string, make: (path: string) => void, rejected: number, how?: "run"][] = [
  // From incoming/, outbox/ and dead/.
  ["empty", (path) => writeFileSync(path, ""), 3],
  ["torn", (path) => writeFileSync(path, '{"version":1,"id":"msg_1","channel"'), 3],
  ["foreign", (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 137, 80, 78, 71])), 3],
  // As a delivery it is left for the version that can read it.
  ["of a later version", (path) => writeFileSync(path, '{"version":99,"id":"msg_1","hook_event_name":7}'), 1],
  ["of another shape", (path) => writeFileSync(path, "[null]"), 3],
  // Among the journal's and the endpoints' as well.
  ["unreadable (posix)", (path) => symlinkSync(path, path), 8],
  ["folders", (path) => mkdirSync(join(path, "inside"), { recursive: true }), 8],
  // A process that opened one of these would never end, and a test's process could not be ended by its time.
  ["pipes (posix)", (path) => execFileSync("mkfifo", [path]), 8, "run"],
  ["links to a device (posix)", (path) => symlinkSync("/dev/zero", path), 8, "run"],
];
const folders = ["incoming", "outbox", "dead", "rejected", "journal", "sessions", "endpoints"] as const;

it.each(strange)(
  "files that are %s, in every folder and beside them, stop neither a dispatcher nor a command",
  async (_name, make, rejected, how) => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    const { layout } = project;
    const run = project[how ?? "command"];
    project.writeRules(rulesTo(`${receiver.origin}/x`));
    ensureLayout(layout);
    for (const folder of folders) {
      make(join(layout[folder], "1700000000000-x-000-msg_1.json"));
      make(join(layout[folder], "2023-11-14.jsonl"));
      make(join(layout[folder], `${new Date().toISOString().slice(0, 10)}.jsonl`));
      make(join(layout[folder], ".tmp-1700000000000-x"));
    }
    for (const name of ["lease", "lease.starting", "notices.json", "rules.last-good.jsonc"])
      make(join(layout.root, name));

    for (const args of [["status"], ["log", "--all"], ["doctor"], ["explain"]]) {
      // It starts a dispatcher, and waits for it.
      const { stdout, stderr } = await (how === undefined && args[0] === "doctor" ? project.builtCommand : run)(
        args,
        payloadOf("Stop"),
      );
      expect([args, stdout + stderr]).toEqual([args, expect.not.stringMatching(/this is a bug|^\s+at /m)]);
    }
    const hook =
      how === undefined ? project.builtCommand(["hook"], payloadOf("Stop")) : project.hook(payloadOf("Stop"));
    expect(await hook).toMatchObject({ code: 0, stderr: "" });
    const dispatched = await run(["dispatch", "--until-idle"]);
    // The hook's own dispatcher may be at work.
    expect(dispatched.stderr).toMatch(/^$|another dispatcher is running/);
    const delivered = (): JournalEntry[] => project.journal().filter(({ outcome }) => outcome === "delivered");
    await project.until("the delivery", () => delivered().length > 0);
    for (const args of [
      ["retry", "--all"],
      ["discard", "--all"],
    ]) {
      const { code, stderr } = await run(args);
      expect([args, code, stderr]).toEqual([args, 0, ""]);
    }
    const reasons = readdirSync(layout.rejected).filter((name) => name.endsWith(".reasons.txt"));
    expect(reasons.length).toBeGreaterThanOrEqual(rejected);
    expect(project.journal().filter(({ kind }) => kind === "rejected").length).toBeGreaterThanOrEqual(rejected);
    expect(delivered()).toHaveLength(1);
  },
);
