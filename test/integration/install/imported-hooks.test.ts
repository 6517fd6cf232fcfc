import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../src/outbox/journal.ts";
import { documentedPayloads } from "../../support/agents/agent-payloads.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";

function documented(agent: string, name: string): string {
  return documentedPayloads.find(({ agentId, file }) => agentId === agent && file === name)?.text ?? "";
}

/** A project that writes down what it is told of every event. */
function toldProject(): { project: Project; told: () => string } {
  const project = temporaryProject();
  const file = join(project.home, "told");
  const argv = [
    process.execPath,
    "-e",
    `process.stdin.pipe(fs.createWriteStream(${JSON.stringify(file)},{flags:"a"}))`,
  ];
  project.writeRules({
    channels: { log: { type: "command", argv, content: "full" } },
    rules: [{ name: "all", when: {}, notify: ["log"], body: "{agent} {event} {payload.status}" }],
  });
  runDispatcherOf(project);
  return { project, told: () => readFileSync(file, "utf8") };
}

async function decisionOf(project: Project): Promise<{ event: Record<string, unknown>; decision: JournalEntry }> {
  await project.until("a decision", () => project.journal().some(({ kind }) => kind === "decision"));
  const event = project.journal().find(({ kind }) => kind === "event")?.event as Record<string, unknown>;
  const decision = project.journal().find(({ kind }) => kind === "decision");
  if (decision === undefined) throw new Error("there is no decision");
  return { event, decision };
}

describe("a hook of Claude Code's that Cursor runs", () => {
  it("tells of Cursor, and keeps the person's address to itself", async () => {
    const { project, told } = toldProject();
    const text = documented("cursor", "stop-error");
    expect(await project.hook(text, ["--agent", "claude-code"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { event, decision } = await decisionOf(project);
    expect(event).toMatchObject({
      agent: "cursor",
      name: "StopFailure",
      agentEvent: "stop",
      project: "proj",
      turn: "g1",
    });
    expect(decision.deliveries).toHaveLength(1);
    await project.until("the delivery", () => project.journal().some(({ outcome }) => outcome === "delivered"));
    expect(told()).toContain("Cursor StopFailure error");
    expect(text).toContain("u@example.com");
    expect(told()).not.toContain("u@example.com");
  });

  it("is on record and told to no one, when the user stopped the turn", async () => {
    const { project } = toldProject();
    const text = documented("cursor", "stop-aborted");
    await project.hook(text, ["--agent", "claude-code"]);
    const { event, decision } = await decisionOf(project);
    expect(event).toMatchObject({ agent: "cursor", name: "Stop" });
    expect(decision).toMatchObject({
      deliveries: [],
      why: "the user stopped the turn",
      silent: [{ channel: "log", why: "the user stopped the turn" }],
    });
    expect((await project.command(["log"])).stdout).toContain("no channel: the user stopped the turn");

    const explained = await project.command(["explain", "--json", "--agent", "cursor"], text);
    expect(JSON.parse(explained.stdout)).toMatchObject({
      rules: [{ name: "all", held: false, why: "not read: the user stopped the turn" }],
      deliveries: [],
      silent: [{ channel: "log", why: "the user stopped the turn" }],
    });
    const shown = await project.command(["explain", "--agent", "cursor"], text);
    expect(shown.stdout).toContain("the user stopped the turn");
    const waited = await project.command(["hook", "--wait", "--json", "--agent", "claude-code"], text);
    expect(JSON.parse(waited.stdout)).toMatchObject({ event: { agent: "cursor" }, deliveries: [] });
    expect(project.journal().findLast(({ kind }) => kind === "event")).toMatchObject({ calledAs: "claude-code" });
  });
});

describe("a field of another type than known", () => {
  it("is on record, and costs itself alone", async () => {
    const { project } = toldProject();
    const payload = {
      hook_event_name: "Stop",
      session_id: "s",
      cwd: "/p/shop",
      permission_mode: "off",
      elapsed_time: "9 s",
    };
    await project.hook(JSON.stringify(payload), ["--agent", "droid"]);
    const { decision } = await decisionOf(project);
    expect(decision.deliveries).toHaveLength(1);
    expect(project.journal().find(({ kind }) => kind === "event")).toMatchObject({
      drift: [{ field: "elapsed_time", expected: "number", got: "string" }],
    });
  });
});
