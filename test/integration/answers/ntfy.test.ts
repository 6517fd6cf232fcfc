import { describe, expect, it, onTestFinished } from "vitest";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import {
  ntfyTokens,
  ntfyTopics,
  startPretendNtfy,
  type NtfyMessage,
  type PretendNtfy,
} from "../../support/receivers/pretend-ntfy.ts";
import { askHook, askWithin, decisionOf, onlyQuestion, printed } from "./asking.ts";

async function started(
  open: Parameters<typeof startPretendNtfy>[0] = {},
  more: object = {},
): Promise<{
  ntfy: PretendNtfy;
  project: Project;
}> {
  const ntfy = await startPretendNtfy(open);
  onTestFinished(ntfy.close);
  const project = temporaryProject();
  const topics = { topic: ntfyTopics.questions, replyTopic: ntfyTopics.replies };
  const tokens = { token: ntfyTokens.machine, replyToken: ntfyTokens.phone };
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { phone: { type: "ntfy", server: ntfy.origin, ...topics, ...tokens, ...more, answers: true } },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
  });
  return { ntfy, project };
}

/** With the dispatcher within the test. */
async function startedWithin(open: Parameters<typeof startPretendNtfy>[0] = {}): ReturnType<typeof started> {
  const { ntfy, project } = await started(open);
  runDispatcherOf(project);
  return { ntfy, project };
}

async function shown(project: Project, ntfy: PretendNtfy): Promise<NtfyMessage> {
  await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && ntfy.listeners() === 1);
  const message = ntfy.shown.at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
}

const ended = (ntfy: PretendNtfy, how: RegExp): boolean => how.test(ntfy.shown.at(-1)?.title ?? "");

describe("a question in ntfy", () => {
  it("is allowed by a button, and its message then says so without buttons", async () => {
    const { ntfy, project } = await started();
    const hook = askHook(project);
    const message = await shown(project, ntfy);
    expect(message.title).toBe("proj: asks to run a command");
    expect(message.message).toMatch(/^│ touch made\ntool: Bash \(Claude Code\) · host: .* · folder: \/home\/u\/proj$/);
    expect(message.actions?.map(({ label }) => label)).toEqual(["Allow", "Deny"]);
    expect(JSON.stringify(message)).not.toContain(ntfyTokens.machine);
    expect(await ntfy.tap(message, "Allow")).toBe(200);
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => ended(ntfy, /allowed by you in phone after/));
    const [edit] = ntfy.shown.slice(-1);
    expect(edit).toMatchObject({ sequence_id: message.sequence_id, priority: 2 });
    expect(edit?.actions).toBeUndefined();
    // The old message stays on an iPhone.
    expect(await ntfy.tap(message, "Deny")).toBe(200);
    const answers = project.journal().filter(({ kind }) => kind === "answer");
    expect(answers.map(({ what, by }) => [what, by])).toEqual([["allow", "you"]]);
  });

  it("is denied by a button, not by strangers and guessed nonces", async () => {
    const { ntfy, project } = await startedWithin();
    const hook = askWithin(project, "rm -rf build");
    const message = await shown(project, ntfy);
    expect(message.actions?.map(({ label }) => label)).toEqual(["Deny"]);
    const nonce = message.actions?.[0]?.body ?? "";
    expect(await ntfy.write(nonce)).toBe(403);
    expect(await ntfy.write("AAAAAAAAAAAAAAAAAAAAAA", ntfyTokens.phone)).toBe(200);
    expect(await ntfy.write("allow", ntfyTokens.phone)).toBe(200);
    expect(await ntfy.tap(message, "Deny")).toBe(200);
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
    await project.until("the edit", () => ended(ntfy, /denied by you in phone after/));
  });

  it("hears what came while its connection was cut, once", async () => {
    const { ntfy, project } = await startedWithin();
    const first = askWithin(project);
    const message = await shown(project, ntfy);
    ntfy.cut();
    await ntfy.tap(message, "Allow");
    expect(await printed(first)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => ended(ntfy, /allowed by you/));
    // The answer to the first one is still in the server's cache.
    const second = askWithin(project, "touch another");
    await project.until("the next question", () => ntfy.shown.at(-1)?.message.startsWith("│ touch another") === true);
    ntfy.cut(true);
    await project.until("silence", () => ntfy.listeners() === 0);
    ntfy.cut(false);
    const asked = await shown(project, ntfy);
    await ntfy.tap(asked, "Deny");
    expect(await printed(second)).toEqual(decisionOf("deny", "The user denied this."));
    const answers = project.journal().filter(({ kind }) => kind === "answer");
    expect(answers.map(({ what }) => what)).toEqual(["allow", "deny"]);
  });

  it("is answered while no dispatcher runs, and the next one hears it", async () => {
    const { ntfy, project } = await started();
    const hook = askHook(project);
    const message = await shown(project, ntfy);
    process.kill(dispatcherPid(project), "SIGKILL");
    await project.until("no dispatcher", () => findLeaseHolder(project.layout, Date.now()) === undefined);
    await ntfy.tap(message, "Allow");
    expect(await printed(hook)).toEqual(decisionOf("allow"));
  });

  it("ends everywhere when the session goes on", async () => {
    const { ntfy, project } = await startedWithin();
    const hook = askWithin(project);
    await shown(project, ntfy);
    const { session_id: session } = hook.payload;
    const done = { hook_event_name: "Stop", session_id: session, cwd: "/home/u/proj" };
    await project.command(["hook", "--agent", "claude-code"], JSON.stringify(done));
    expect(await printed(hook)).toBeUndefined();
    await project.until("the edit", () => ended(ntfy, /answered at the terminal after/));
  });

  it.each([
    ["read the questions", { read: true }, 'read "topic"'],
    ["write answers", { write: true }, 'write to "replyTopic"'],
  ])("has no buttons where anyone may %s, and the agent asks at its terminal", async (_what, open, said) => {
    const { ntfy, project } = await startedWithin(open);
    const hook = askWithin(project);
    await project.until("the message", () => ntfy.shown.length === 1);
    expect(ntfy.shown[0]?.actions).toBeUndefined();
    expect(ntfy.shown[0]?.message).toContain("answer at the terminal");
    await project.until("the reason", () =>
      JSON.stringify(project.journal()).includes(JSON.stringify(said).slice(1, -1)),
    );
    hook.stop();
    expect(await printed(hook)).toBeUndefined();
    const { stdout } = await project.command(["doctor"]);
    expect(stdout).toContain(said);
  });
});

it.each([
  ["what the tokens may do is right", {}, "the topics and tokens are fit for answers"],
  ["the phone's token is wrong", { replyToken: "tk_unknown" }, '"replyToken" may not write to "replyTopic"'],
  [
    "the phone's token may do everything",
    { replyToken: ntfyTokens.owner },
    'let it write to "replyTopic", and nothing else',
  ],
  ["the machine's token reads no answers", { token: ntfyTokens.publisher }, '"token" may not read "replyTopic"'],
])("doctor finds that %s, and publishes nothing", async (_what, more, said) => {
  const { ntfy, project } = await started({}, more);
  const { stdout } = await project.command(["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: { text: string }[] };
  expect(findings.find(({ text }) => text.startsWith("phone (ntfy): "))?.text).toContain(said);
  expect([ntfy.shown, ntfy.replies]).toEqual([[], []]);
});
