// A question of a hook that another program has changed is told without buttons, and nothing that was pressed before counts.
import { spawn } from "node:child_process";
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { formatLocalMinute } from "../../../src/model/figures/duration.ts";
import { shellQuoted } from "../../../src/model/text.ts";
import { fileOfRc1 } from "../../support/home/rc1-program.ts";
import { end, hookPath, type Project } from "../../support/project/running-project.ts";
import {
  ann,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import {
  askHook,
  capturedQuestion,
  decisionOf,
  onlyQuestion,
  printed,
  telegramProject,
  type Hook,
} from "../answers/asking.ts";

let telegram: PretendTelegram;
let project: Project;
let script: string;
const init = ["init", "--agent", "claude-code", "--yes"];

beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  project = telegramProject(telegram, { allow: ["Bash(touch *)", "bash(touch *)"] });
  await project.run(init);
  script = join(project.layout.root, "hookbell-hook.sh");
});

/** As Claude Code calls it. */
function askByScript(): Hook {
  const payload = { ...capturedQuestion, tool_input: { command: "touch made" } };
  const child = spawn("sh", ["-c", `${shellQuoted(script)} --agent claude-code --answer`], {
    env: project.env,
    cwd: project.home,
  });
  return { child, payload, ended: end(child, JSON.stringify(payload)) };
}

/** Without those about what agents start, which come as well. */
async function nextMessage(count: number): Promise<ShownMessage> {
  const messages = (): ShownMessage[] =>
    telegram.messages.filter(({ text }) => !/Look: |answers no question/.test(text));
  await project.until(`message ${count}`, () => messages().length >= count);
  const message = messages()[count - 1];
  if (message === undefined) throw new Error("no message");
  return message;
}

function tap(message: ShownMessage, label: string): string {
  const data = message.buttons.find(({ text }) => text.includes(label))?.callback_data;
  if (data === undefined) throw new Error(`no button ${label} below ${message.text}`);
  return telegram.tap(ann, message, data);
}

/** Its question is told with buttons, and pressing one answers it. */
async function isAllowed(hook: Hook, nth = 1): Promise<void> {
  const message = await nextMessage(nth);
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
  tap(message, "Allow");
  expect(await printed(hook)).toEqual(decisionOf("allow"));
}

const minuteOf = (path: string): string => formatLocalMinute(statSync(path).mtimeMs);
const changed = (): string => `changed by another program at ${minuteOf(script)}`;

/** It is told without any, the reason is in it, and the agent's terminal asks. */
async function isToldWithoutButtons(hook: Hook, nth = 1): Promise<void> {
  expect(await printed(hook)).toBeUndefined();
  const { buttons, text } = await nextMessage(nth);
  expect(buttons).toEqual([]);
  expect(text).toContain(`no buttons: hookbell's hook script was ${changed()}`);
}

const said = async (command: string): Promise<string> => (await project.builtCommand([command])).stdout;

describe("a line added to hookbell's hook script (posix)", () => {
  it("is told by doctor and status, and takes the buttons until init writes the script anew", async () => {
    await isAllowed(askByScript());
    const text = readFileSync(script, "utf8");
    writeFileSync(
      script,
      text.replace("\numask 077\n", `\ntrue >>${shellQuoted(join(project.home, "ran"))}\numask 077\n`),
    );
    await isToldWithoutButtons(askByScript(), 2);
    const notes = project.journal().filter(({ what }) => what === "not asked there");
    expect(notes).toMatchObject([{ channel: "phone", why: `hookbell's hook script was ${changed()}` }]);

    const doctor = await project.builtCommand(["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain(
      `broken Claude Code: its hooks call ${script}, which was ${changed()}; its questions are told without buttons look at what is in it; this writes it anew: $ hookbell init --agent claude-code`,
    );
    expect((await said("status")).replaceAll(/\s+/g, " ")).toContain(`${changed()}: ${script}`);
    const { stdout } = await project.builtCommand(["status", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ changedFiles: [{ path: script }] });

    expect((await project.run(init)).stdout).toContain(`wrote ${script}`);
    expect(readFileSync(script, "utf8")).toBe(text);
    expect(await said("doctor")).toContain("Claude Code: its hooks call this hookbell");
    expect(await said("status")).not.toContain("changed");
    await isAllowed(askByScript(), 3);
  });

  it("after the card was sent makes the press count for nothing, and the card says why", async () => {
    const hook = askByScript();
    const card = await nextMessage(1);
    await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    const text = readFileSync(script, "utf8");
    writeFileSync(`${script}.new`, text.replace("#!/bin/sh\n", "#!/bin/sh\ntrue\n"), { mode: 0o700 });
    renameSync(`${script}.new`, script);
    const pressed = tap(card, "Allow");
    expect(await printed(hook)).toBeUndefined();
    await project.until("what the press was told", () => telegram.told.has(pressed));
    expect(telegram.told.get(pressed)).toContain(`Not taken: hookbell's hook script was ${changed()}`);
    await project.until("the card's end", () => card.buttons.length === 0);
    expect(card.text).toContain(`ended, since hookbell's hook script was ${changed()}, after`);
  });

  it("cannot be a value, and other line ends are a change as well", async () => {
    const text = readFileSync(script, "utf8");
    const node = /^node='(.*)'$/m.exec(text)?.[1] ?? "";
    expect(node).toMatch(/^\//);
    const ways = [
      text.replace(`node='${node}'`, `node='${node}'; : 'x'`),
      text.replace(`node='${node}'`, "node='/tmp/node'"),
      text.replace(/^dist='.*'$/m, "dist='/tmp/dist'"),
      text.replaceAll("\n", "\r\n"),
    ];
    for (const [index, way] of ways.entries()) {
      expect(way).not.toBe(text);
      writeFileSync(script, way);
      await isToldWithoutButtons(askHook(project), index + 1);
      expect(await said("status")).toContain("changed by another program");
    }
  });
});

describe("a hook script that no other program has changed (posix)", () => {
  it("of 1.0.0-rc.1 keeps its answers, and doctor and status say that it is older", async () => {
    const values = readFileSync(script, "utf8").match(/^(?:node|dist)='.*'$/gm) ?? [];
    const [node = "", dist = ""] = values;
    const rc1 = fileOfRc1("hooks/hookbell-hook.sh");
    writeFileSync(
      script,
      rc1.replace("node='@NODE@'", () => node).replace("dist='@DIST@'", () => dist),
    );
    await isAllowed(askByScript());
    expect((await said("doctor")).replaceAll(/\s+/g, " ")).toContain(
      `warning Claude Code: its hooks call ${script}, which is of an older version of hookbell`,
    );
    const status = (await said("status")).replaceAll(/\s+/g, " ");
    expect(status).toContain(`${script} is of an older version of hookbell: hookbell init`);
    expect(status).not.toContain("changed by another program");
  });

  it("with other permissions, or gone, leaves the questions of other hooks their answers", async () => {
    chmodSync(script, 0o755);
    await isAllowed(askByScript());
    expect(await said("doctor")).toContain("whose permissions are not 700");
    rmSync(script);
    await isAllowed(askHook(project), 2);
    expect(await said("doctor")).toContain("which is missing");
    expect(await said("status")).not.toContain("changed by another program");
  });
});

it("a script of hookbell's name in another place is named by doctor, and init has the hooks call its own again (posix)", async () => {
  const settings = join(project.home, ".claude", "settings.json");
  const other = join(project.home, "hookbell-hook.sh");
  const text = readFileSync(settings, "utf8");
  expect(text).toContain(script);
  writeFileSync(settings, text.replaceAll(script, other));
  expect((await said("doctor")).replaceAll(/\s+/g, " ")).toContain(
    `warning Claude Code: ${settings} calls ${other}, which this hookbell has not written look at what is in it`,
  );
  await project.run(init);
  expect(readFileSync(settings, "utf8")).toBe(text);
});

it("a plug-in that another program has changed takes the buttons of its agent only (posix)", async () => {
  expect(await project.run(["init", "--agent", "opencode", "--yes"])).toMatchObject({ code: 0 });
  const plugIn = join(project.home, ".config", "opencode", "plugins", "hookbell.js");
  writeFileSync(
    plugIn,
    readFileSync(plugIn, "utf8").replace("const agent", "fetch('http://127.0.0.1:9');\nconst agent"),
  );
  const properties = {
    id: "per_1",
    sessionID: "ses_1",
    permission: "bash",
    patterns: ["touch made"],
    metadata: { command: "touch made" },
    always: [],
  };
  const asked = { agent: "opencode", type: "permission.asked", session_id: "ses_1", cwd: project.home, properties };
  const child = spawn(process.execPath, [hookPath, "--agent", "opencode", "--answer"], {
    env: project.env,
    cwd: project.home,
  });
  expect(await printed({ ended: end(child, JSON.stringify(asked)) })).toBeUndefined();
  const { buttons, text } = await nextMessage(1);
  expect(buttons).toEqual([]);
  const byAnother = `changed by another program at ${minuteOf(plugIn)}`;
  expect(text).toContain(`hookbell's plug-in for opencode was ${byAnother}`);
  expect((await said("doctor")).replaceAll(/\s+/g, " ")).toContain(
    `warning opencode: ${plugIn} was ${byAnother}; its questions are told without buttons`,
  );
  expect((await said("status")).replaceAll(/\s+/g, " ")).toContain(`${byAnother}: ${plugIn}`);
  await isAllowed(askByScript(), 2);
});
