import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addSender, sendersOf } from "../../../src/answers/senders.ts";
import { runCommand } from "../../../src/cli/command-line.ts";
import { UserError } from "../../../src/model/errors.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { commandIo } from "../../support/project/command-io.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-remove-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: -1, stdout: "", stderr: "" };
  const env = { HOME: home, HOOKBELL_CONFIG_DIR: home, HOOKBELL_STATE_DIR: join(home, "state"), PATH: "" };
  const io = commandIo(home, {
    stdout: (text) => void (result.stdout += text),
    stderr: (text) => void (result.stderr += text),
    env,
  });
  try {
    result.code = await runCommand(["channels", ...args], io);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    result.code = error.exitCode;
    result.stderr += `${error.message}\n${error.hint ?? ""}`;
  }
  return result;
}

const rulesFile = (): string => join(home, "rules.jsonc");

/** Two phones; the secret of each in a file of its own, one of them shared with a third. */
function write(): string {
  const text = `{
  "channels": {
    "desk": { "type": "desktop" },
    "phone": { "type": "ntfy", "topic": { "file": "~/phone.topic" }, "token": { "file": "~/phone.token" } },
    "other": { "type": "ntfy", "topic": { "file": "~/phone.topic" }, "token": { "file": "~/mine" } },
  },
  "rules": [
    { "name": "both", "notify": ["desk", "phone"], "fallback": ["phone"] }, // kept
    { "name": "alone", "notify": ["phone"] },
  ],
}
`;
  writeFileSync(rulesFile(), text);
  for (const name of ["phone.topic", "phone.token", "mine"]) writeFileSync(join(home, name), "s3cret\n");
  return text;
}

it("shows what would go, and writes nothing without a yes", async () => {
  const text = write();
  const { code, stdout, stderr } = await run("remove", "phone");
  expect({ code, stderr }).toEqual({ code: 64, stderr: "hookbell: nothing was written; add --yes to write this\n" });
  expect(stdout).toContain('-    "phone":');
  expect(stdout).toContain('note: rule "alone" then notifies no channel\n');
  expect(stdout).toContain(`its secret is removed as well: ${join(home, "phone.token")}\n`);
  expect(stdout).not.toContain(join(home, "phone.topic"));
  expect((await run("remove", "phone", "--dry-run")).code).toBe(0);
  expect(readFileSync(rulesFile(), "utf8")).toBe(text);
  expect(existsSync(join(home, "phone.token"))).toBe(true);
});

it("takes it out of channels and rules, keeps a backup, and removes only its own secret", async () => {
  const text = write();
  expect(await run("remove", "phone", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(rulesFile(), "utf8")).toBe(
    text
      .replace(/^ {4}"phone".*\n/m, "")
      .replace('["desk", "phone"], "fallback": ["phone"]', '["desk"]')
      .replace('"alone", "notify": ["phone"]', '"alone", "notify": []'),
  );
  expect(readdirSync(home).filter((name) => name !== "state")).toEqual([
    "mine",
    "phone.topic",
    "rules.jsonc",
    expect.stringContaining("rules.jsonc.hookbell-backup-"),
  ]);
  // Not made by us, though no one else names it.
  expect((await run("remove", "other", "--yes")).code).toBe(0);
  expect(existsSync(join(home, "mine"))).toBe(true);
  expect(existsSync(join(home, "phone.topic"))).toBe(true);
});

it("takes the right to answer from the accounts of the channel, also for a later channel of that name", async () => {
  write();
  const layout = layoutOf(join(home, "state"));
  addSender(layout, "phone", { type: "telegram", id: "7", name: "Ann", pairedAt: 0 });
  const { stdout } = await run("remove", "phone", "--yes");
  expect(stdout).toContain("no account may answer through phone any more\n");
  expect(sendersOf(layout, "phone", "telegram")).toEqual([]);
});

it("says what there is where the name is wrong or missing", async () => {
  write();
  expect(await run("remove", "phon", "--yes")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('did you mean "phone"?') as unknown,
  });
  expect(await run("remove")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("desk, phone, other") as unknown,
  });
  expect((await run("remov")).stderr).toContain('did you mean "remove"?');
});

it("makes a file of the built-in rules where there is none", async () => {
  const { code, stdout } = await run("remove", "sound", "--yes");
  expect(code).toBe(0);
  expect(stdout).toContain("will be created from the built-in rules, with this change");
  expect(readFileSync(rulesFile(), "utf8")).not.toContain('"sound"');
});

it("leaves out of a new file what cannot work on a machine without a screen, and says so", async () => {
  const { code, stdout } = await run("remove", "sound", "--yes");
  expect(code).toBe(0);
  expect(stdout).toContain("left out, since this machine has no screen or speakers for it: desktop; to add one later");
  expect(stdout).not.toContain("then notifies no channel");
  const written = readFileSync(rulesFile(), "utf8");
  expect(written).not.toContain('"desktop"');
  expect(written).not.toContain('"needs me"');
});
