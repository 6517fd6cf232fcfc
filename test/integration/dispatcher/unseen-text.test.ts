// No command prints a character that cannot be seen, or that reorders a line, whichever text of an event has it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { openQuestion } from "../../answers/sample.ts";
import { textOfCall } from "../../../src/answers/card/card.ts";
import { rawUnseen } from "../../support/channels/unseen-texts.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { webhookProject } from "../commands/webhook-project.ts";

/** Each kind: of no width, a blank, a direction, a tag. A file system takes all of them in a name. */
const signs = `\u200B${"\u2800".repeat(36)}\uFFFC\u3164\u202E\u00AD\u{E0041}\uFE0F`;
const text = (words: string): string => `${words}${signs}-end`;

const commands: readonly (readonly string[])[] = [
  ["status"],
  ["sessions"],
  ["log"],
  ["log", "--failed"],
  ["why"],
  ["why", "--all"],
  ["log", "--limit", "1000"],
  ["digest"],
  ["digest", "--preview"],
  ["board"],
  ["pending"],
  ["mute"],
  ["mute", text("shop"), "1h"],
  ["mute", "--project", text("shop"), "--for", "1h"],
  ["doctor"],
  ["check"],
  ["replay", "--since", "1d"],
  ["channels"],
  ["channels", "ops"],
  ["retry"],
  ["discard"],
  ["retry", "--all"],
  ["send", "--title", text("title"), text("words")],
  ["run", "--", "true", text("argument")],
  ["unmute", "--all"],
];

// Wine has no git.
it("leaves nothing unseen in what a person reads, and leaves machines the text as it is (not under Wine)", async () => {
  const events = ["Stop", "Notification", "PermissionRequest", "StopFailure"];
  const project = await webhookProject([{ name: "all", when: { event: events }, notify: ["ops"] }]);
  project.receiver.behave({ answer: 400 });
  const cwd = join(project.home, text("shop"));
  mkdirSync(cwd);
  execFileSync("git", ["init", "-q", "-b", text("branch"), cwd]);
  const facts = { cwd, message: text("message"), title: text("title"), reason: text("reason") };
  const call = { tool_name: text("Tool"), tool_input: { command: text("rm"), description: text("why") } };
  const asking = { ...facts, ...call, session_id: text("s2") };
  const payloads = [
    payloadOf("UserPromptSubmit", { ...facts, prompt: text("prompt"), session_id: text("s1") }),
    payloadOf("Stop", { ...facts, last_assistant_message: text("said"), session_id: text("s1") }),
    payloadOf("PreToolUse", { ...facts, ...call, session_id: text("s3") }),
    payloadOf("PermissionRequest", asking),
    payloadOf("Notification", { ...facts, notification_type: text("kind"), session_id: text("s4") }),
    payloadOf("StopFailure", { ...facts, error: text("error"), session_id: text("s5") }),
    payloadOf(text("Own"), facts),
    `{"hook_event_name": "${text("broken")}`,
  ];
  for (const payload of payloads) await project.command(["hook", "--agent", "claude-code"], payload);
  await project.command(["dispatch", "--until-idle"]);
  expect(project.journal().filter(({ kind }) => kind === "attempt").length).toBeGreaterThanOrEqual(4);
  openQuestion(project.layout, { tool: text("Tool"), cwd, branch: text("branch"), ...textOfCall(call.tool_input) });
  const other = {
    agent: text("agent"),
    session: text("s6"),
    project: text("p"),
    name: text("name"),
    host: text("host"),
  };
  writeSession(project.layout, recordOf({ ...other, branch: text("b"), worktree: text("tree") }));

  expect((await project.command(["log"])).stdout).toContain("⟨U+2800, 36 times⟩");
  const failed: string[] = [];
  for (const args of [...commands, ["explain", "-"], ["explain", "--agent", "claude-code"]]) {
    const input = JSON.stringify({ hook_event_name: "Stop", ...asking });
    // It starts a dispatcher, and waits for it.
    const { stdout, stderr } = await project[args[0] === "doctor" ? "builtCommand" : "command"](args, input);
    for (const line of (stdout + stderr).split("\n")) if (rawUnseen.test(line)) failed.push(`${args[0]}: ${line}`);
  }
  expect(failed).toEqual([]);

  const sent = project.receiver.requests.map(({ body }) => JSON.parse(body) as { data: { event: { cwd: string } } });
  expect(sent.map(({ data }) => data.event.cwd)).toContain(cwd);
  expect(readdirSync(project.layout.rejected)).not.toEqual([]);
});
