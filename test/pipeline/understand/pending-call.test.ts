// A Notification that names no call, as Claude Code's auto mode sends it behind a gateway: the transcript says which call waits.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { withPendingCall } from "../../../src/pipeline/understand/transcript.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { everyRow } from "../../support/rows.ts";

const asked = Date.UTC(2026, 10, 23, 12);
const bare = "Claude needs your permission";

type Line = Record<string, unknown>;

/** Lines as Claude Code 2.1.330 writes them, a second after the other, the last one six seconds before the Notification. */
function begins(id: string, name: string, input: object): Line {
  return { type: "assistant", message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] } };
}

function ends(id: string): Line {
  return { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "" }] } };
}

const interrupted: Line = {
  type: "user",
  message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user for tool use]" }] },
};

function transcriptOf(lines: readonly Line[], lastAt = asked - 6000): string {
  const path = join(temporaryFolder(), "s1.jsonl");
  const stamped = lines.map((line, index) => {
    const timestamp = new Date(lastAt - (lines.length - 1 - index) * 1000).toISOString();
    return `${JSON.stringify({ timestamp, ...line })}\n`;
  });
  writeFileSync(path, stamped.join(""));
  return path;
}

function readingOf(transcript: string, more: Line = {}) {
  const payload = { session_id: "s1", cwd: "/home/u/proj", transcript_path: transcript, message: bare };
  const text = { ...payload, hook_event_name: "Notification", notification_type: "permission_prompt", ...more };
  const reading = readPayload(JSON.stringify(text), { agentId: "claude-code", env: {} });
  if (reading.status === "invalid") throw new Error("it is not valid");
  return reading;
}

const publish = begins("c2", "Bash", { command: "npm publish", description: "publish it" });

describe("the call that waits for permission", () => {
  it("is named where the transcript has one", () =>
    everyRow<[name: string, lines: Line[], request: string | undefined]>(
      [
        ["a command", [publish], "run `npm publish`?"],
        [
          "a command after another",
          [begins("c1", "Bash", { command: "ls" }), ends("c1"), publish],
          "run `npm publish`?",
        ],
        [
          "a file",
          [begins("c1", "Write", { file_path: "/home/u/proj/a.ts", content: "1\n2" })],
          "write a.ts (2 lines)?",
        ],
        ["a tool of a server", [begins("c1", "mcp__db__drop", { table: "users" })], "use drop of db?\ntable: users"],
        ["none", [], undefined],
        ["one that has its result", [publish, ends("c2")], undefined],
        ["one that was stopped", [publish, interrupted], undefined],
        ["two at once: which one is not known", [begins("c1", "Bash", { command: "ls" }), publish], undefined],
        ["a subagent, whose own call it may be", [begins("c1", "Agent", { description: "look" })], undefined],
        ["a subagent's own line", [{ ...publish, isSidechain: true }], undefined],
        ["one without arguments of the usual kind", [begins("c1", "Bash", { command: 7 })], "use Bash?\ncommand: 7"],
        [
          "no call at all",
          [{ type: "assistant", message: { content: [{ type: "tool_use", id: 1, name: [] }] } }],
          undefined,
        ],
      ],
      ([, lines, request]) => {
        const { facts } = withPendingCall(readingOf(transcriptOf(lines)), { from: undefined, to: asked });
        expect(facts.request).toBe(request);
        expect(facts.message).toBe(request ?? bare);
      },
    ));

  it("is one of this turn, begun before the Notification", () => {
    const reading = readingOf(transcriptOf([publish]));
    const named = (from: number, to: number) => withPendingCall(reading, { from, to }).facts.request;
    expect(named(asked - 10_000, asked)).toBe("run `npm publish`?");
    expect(named(asked - 3000, asked)).toBeUndefined();
    expect(named(asked - 10_000, asked - 7000)).toBeUndefined();
  });

  it("is not looked for in other events, in what is no transcript, or in a line too long to be read", () => {
    const path = transcriptOf([publish]);
    const turn = { from: undefined, to: asked };
    for (const reading of [
      readingOf(path, { notification_type: "idle_prompt" }),
      readingOf("/nowhere/s1.jsonl"),
      readingOf(temporaryFolder()),
      readingOf(transcriptOf([begins("c1", "Write", { file_path: "a.ts", content: "x".repeat(300_000) })])),
    ])
      expect(withPendingCall(reading, turn)).toBe(reading);
  });
});

describe("the message of such a Notification", () => {
  it("names the command without its credentials, and has no buttons", async () => {
    const { clock, dispatcher, writeRules, run, until } = prepareDispatcher();
    const { layout, tools } = dispatcher;
    const phone = { type: "gotify", server: "https://g.example.org", token: "A1234567890abcd" };
    writeRules({ answers: { allow: ["Bash"] }, channels: { phone }, rules: [{ notify: ["phone"] }] });
    const sent: { title: string; message: string }[] = [];
    tools.http = async ({ body }) => {
      sent.push(JSON.parse(body ?? "") as (typeof sent)[number]);
      return { status: 200, headers: {}, body: '{ "id": 1 }' };
    };
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const call = begins("c1", "Bash", { command: `GITHUB_TOKEN=${secret} npm publish` });
    const path = transcriptOf([call], clock.now() - 6000);
    const payload = { session_id: "s1", cwd: "/home/u/shop-web", transcript_path: path, message: bare };
    const text = { ...payload, hook_event_name: "Notification", notification_type: "permission_prompt" };
    writeIncoming(layout, JSON.stringify(text), { agentId: "claude-code", nowMs: clock.now() });
    void run();
    await until("its message", () => sent.length > 0);
    expect(sent[0]?.title).toBe("shop-web: asks to run a command");
    expect(sent[0]?.message).toMatch(/GITHUB_TOKEN=.* npm publish/);
    expect(JSON.stringify(sent)).not.toContain(secret);
    expect(JSON.stringify(sent)).not.toMatch(/allow/i);
  });
});
