import { wings } from "../../../src/wings/index.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { check } from "../../../src/commands/explain/check.ts";
import { doctor } from "../../../src/commands/doctor/doctor.ts";
import { init } from "../../../src/commands/init/init.ts";
import { findUncoveredQuestions } from "../../../src/commands/pipeline/rule-coverage.ts";
import { listTargets } from "../../../src/install/target/agent-target.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { commandIo } from "../../support/project/command-io.ts";

const both = { event: ["Notification", "PermissionRequest"] };
const silent = { notify: [], final: true };

const rows: [rules: object[], agent: string, event: string | undefined][] = [
  [[{ when: { event: "Notification" } }], "codex", "PermissionRequest"],
  [[{ when: { event: "Notification" } }], "claude-code", undefined],
  [[{ when: { event: "PermissionRequest" } }], "claude-code", undefined],
  [[{ when: both }], "codex", undefined],
  [[{ when: { event: "P*" } }], "codex", undefined],
  [[{ when: { level: "attention" } }], "codex", undefined],
  // No one waits for questions; or not for this agent's; or one has them and one is silent on purpose.
  [[{ when: { event: "Stop" } }], "codex", undefined],
  [[{ when: { event: "Notification", agent: "droid" } }], "codex", undefined],
  [[{ when: { event: "Notification" } }, { when: { event: "PermissionRequest" } }], "codex", undefined],
  [[{ when: { event: "PermissionRequest" }, ...silent }, { when: { event: "Notification" } }], "codex", undefined],
  [[{ when: { event: "PermissionRequest" }, notify: [] }, { when: { event: "Notification" } }], "codex", undefined],
  [[{ when: { event: "Notification" }, notify: [] }], "codex", undefined],
  // It asks nothing that hooks would tell.
  [[{ when: { event: "Notification" } }], "cursor", undefined],
];

it.each(rows)("of %j, %s is not heard in %s", async (rules, agent, event) => {
  const text = { channels: { a: { type: "desktop" } }, rules: rules.map((rule) => ({ notify: ["a"], ...rule })) };
  const loaded = await loadRules(JSON.stringify(text));
  if (loaded.status !== "good") throw new Error("the rules are broken");
  const targets = listTargets({}, "/home/x", "linux").filter(({ id }) => id === agent);
  expect(targets).toHaveLength(1);
  const found = findUncoveredQuestions(loaded.rules.rules, targets);
  expect(found.map((each) => each.event)).toEqual(event === undefined ? [] : [event]);
});

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-questions-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(value));
}

const warning = "Codex asks questions with PermissionRequest, and no rule waits for it";
const fix =
  'in rule "needs me" write "event": ["Notification", "PermissionRequest"], then run: hookbell init --agent codex';

it("is said by check, by init also where nothing changes, and by doctor, until it is fixed", async () => {
  let said = "";
  const env = { HOME: home, PATH: "", HOOKBELL_STATE_DIR: join(home, "state") };
  const io = commandIo(home, {
    stdout: (text) => void (said += text),
    stderr: (text) => void (said += text),
    env,
  });
  const saying = async (act: () => Promise<number>): Promise<string> => {
    said = "";
    await act();
    return said;
  };
  const install = () => init(["--agent", "codex", "--yes"], io);
  const rules = (when: unknown): void =>
    put(".config/hookbell/rules.jsonc", {
      channels: { out: { type: "command", argv: ["true"] } },
      rules: [{ name: "needs me", when, notify: ["out"] }],
    });
  mkdirSync(join(home, ".codex"));
  rules({ event: "Notification" });
  expect(await saying(install)).toContain(`note: ${warning}: ${fix}\n`);
  expect(await saying(install)).toContain(warning);
  expect(await saying(() => check([], io))).toContain(`warning: ${warning}\n  ${fix}\n`);
  expect(await saying(() => check(["--json"], io))).toContain('"unheardQuestions":[{"agent":"codex"');
  expect(await saying(() => doctor([], io, wings))).toContain(warning);
  rules(both);
  expect(await saying(install)).not.toContain(warning);
  expect(await saying(() => check([], io))).not.toContain(warning);
  expect(await saying(() => doctor([], io, wings))).not.toContain(warning);
});
