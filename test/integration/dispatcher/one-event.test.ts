// An event that comes more than once: by two hook setups, three times by one agent, or told by what another event says.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import type { JournalEntry } from "../../../src/outbox/journal.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { capturedPayloads, documentedPayloads } from "../../support/agents/agent-payloads.ts";
import { startAnsweringReceiver, type AnsweringReceiver } from "../../support/receivers/answering-receiver.ts";
import { arriveTogether } from "../../support/project/arrive-together.ts";
import { describeWithParts } from "../../support/parts.ts";
import { putScript, runScript, silent } from "../../support/project/posix-hook.ts";
import {
  prepareDispatcher,
  rulesTo,
  runDispatcherOf,
  type RunningDispatcher,
} from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject, type Ended, type Project } from "../../support/project/running-project.ts";

function payload(agent: string, name: string): string {
  const found = [...capturedPayloads, ...documentedPayloads].find(
    ({ agentId, file }) => agentId === agent && file === name,
  );
  if (found === undefined) throw new Error(`there is no payload ${agent}/${name}`);
  return found.text;
}

async function startReceiver(): Promise<AnsweringReceiver> {
  const receiver = await startAnsweringReceiver(() => ({ status: 200 }));
  onTestFinished(receiver.close);
  return receiver;
}

/** A project that tells a webhook of everything. */
async function tellingProject(): Promise<{ project: Project; receiver: AnsweringReceiver }> {
  const receiver = await startReceiver();
  const project = temporaryProject();
  project.writeRules(rulesTo(receiver.origin));
  putScript(join(project.home, "hook.sh"));
  return { project, receiver };
}

function decisions(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter(({ kind }) => kind === "decision");
}

function toldCount(entries: readonly JournalEntry[]): number {
  return decisions(entries).reduce((sum, { deliveries }) => sum + (deliveries as unknown[]).length, 0);
}

type RunHook = (
  project: Project,
  text: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<Ended>;

const byNode: RunHook = (project, text, args, env) => project.hook(text, args, env);
const byCommand: RunHook = (project, text, args) => project.command(["hook", ...args], text);
const byShell: RunHook = (project, text, args, env) =>
  runScript(project, ["sh", join(project.home, "hook.sh"), ...args], text, env);

for (const [which, program, runHook] of [
  ["Node's hook", "node", byNode],
  ["the shell's hook", "sh", byShell],
] as const) {
  describeWithParts(`one event, by ${which}`, [program], () => {
    it("that comes by Cursor's own hook and by Claude Code's is told once, on record twice", async () => {
      const { project, receiver } = await tellingProject();
      const text = payload("cursor", "stop-completed");
      const hookSetups = ["cursor", "claude-code"];
      await arriveTogether(
        project,
        hookSetups.map((agent) => async () => expect(await runHook(project, text, ["--agent", agent])).toEqual(silent)),
      );
      const [first, second] = project.journal().filter(({ kind }) => kind === "event");
      const id = (first?.event as { id: string } | undefined)?.id ?? "none";
      expect([first, second]).toMatchObject([
        { event: { agent: "cursor" } },
        { event: { agent: "cursor" }, calledAs: "claude-code" },
      ]);
      expect(decisions(project.journal())).toMatchObject([
        { event: id, deliveries: [{ channel: "ops" }] },
        {
          deliveries: [],
          duplicateOf: id,
          why: `the same event as ${id}, through another hook`,
          rules: [{ name: "all", held: true }],
          silent: [{ channel: "ops", why: `the same event as ${id}, through another hook` }],
        },
      ]);
      expect((await project.command(["log"])).stdout).toContain(`no channel: the same event as ${id}`);
      expect(receiver.asked).toHaveLength(1);
      // Another turn by the same way is another event.
      await runHook(project, text.replace('"g1"', '"g2"'), ["--agent", "cursor"]);
      await project.until("its delivery", () => receiver.asked.length === 2);
    });

    it.each([
      ["grok", "stop", ["grok", "claude-code", "cursor"]],
      ["grok", "notification-permission", ["claude-code", "cursor"]],
      ["devin", "Stop", ["devin", "claude-code"]],
      ["devin", "PermissionRequest", ["claude-code", "devin"]],
    ])("of %s, %s, that comes by the hooks of %j is told once, as that agent's", async (agent, name, hookSetups) => {
      const { project, receiver } = await tellingProject();
      const text = payload(agent, name);
      await arriveTogether(
        project,
        hookSetups.map((by) => async () => expect(await runHook(project, text, ["--agent", by])).toEqual(silent)),
      );
      const events = project.journal().filter(({ kind }) => kind === "event");
      expect(events.map(({ event }) => (event as { agent: string }).agent)).toEqual(hookSetups.map(() => agent));
      expect(toldCount(project.journal())).toBe(1);
      expect(receiver.asked).toHaveLength(1);
    });

    it.each([
      ["devin", { DEVIN_PROJECT_DIR: "/p" }, { transcript_path: "" }],
      ["devin", { DEVIN_PROJECT_DIR: "/p", CLAUDE_PID: "1" }, { prompt_id: "p1" }],
      ["generic", {}, { transcript_path: "" }],
      ["claude-code", { DEVIN_PROJECT_DIR: "/p", GROK_HOOK_EVENT: "stop" }, { transcript_path: "/t.jsonl" }],
      ["grok", { GROK_HOOK_EVENT: "stop" }, {}],
    ])("by Claude Code's hook is that of %s in the environment %j with %j", async (agent, env, more) => {
      const { project } = await tellingProject();
      const text = payloadOf("Stop", { session_id: "5f0c6f6e", last_assistant_message: "Done.", ...more });
      await arriveTogether(project, [
        async () => expect(await runHook(project, text, ["--agent", "claude-code"], env)).toEqual(silent),
      ]);
      expect(project.journal().filter(({ kind }) => kind === "event")).toMatchObject([
        { event: { agent, message: "Done." } },
      ]);
    });

    it("that Gemini CLI tells of three times, the end of a session, is told once", async () => {
      const { project, receiver } = await tellingProject();
      const text = payload("gemini-cli", "SessionEnd-exit");
      const args = ["--agent", "gemini-cli", "--event", "SessionEnd"];
      await arriveTogether(
        project,
        [1, 2, 3].map(() => () => runHook(project, text, args)),
      );
      expect(decisions(project.journal())).toHaveLength(3);
      expect(toldCount(project.journal())).toBe(1);
      expect(receiver.asked).toHaveLength(1);
    });

    it.each([
      [["settings", "plugin"], 1],
      [["plugin", "settings"], 1],
      [["plugin"], 1],
      [["settings"], 1],
      [["plugin", "settings", "settings", "plugin"], 1],
      [["plugin", "plugin"], 1],
    ])("that comes by an agent's %j is told %i times", async (ways, told) => {
      const { project, receiver } = await tellingProject();
      const text = payload("claude-code", "Stop");
      const marks = ways.map((way) => (way === "plugin" ? ["--by", "plugin"] : []));
      await arriveTogether(
        project,
        marks.map((mark) => async () => {
          expect(await runHook(project, text, ["--agent", "claude-code", ...mark])).toEqual(silent);
        }),
      );
      expect(decisions(project.journal())).toHaveLength(ways.length);
      expect(toldCount(project.journal())).toBe(told);
      expect(receiver.asked).toHaveLength(told);
    });

    it("and twenty equal ones by one hook setup are twenty", async () => {
      const { project, receiver } = await tellingProject();
      runDispatcherOf(project);
      const text = payloadOf("Stop");
      for (let batch = 0; batch < 4; batch += 1) {
        const five = Array.from({ length: 5 }, (_, index) =>
          // One of each batch in a process of its own is enough for Node.
          (index > 0 && runHook === byNode ? byCommand : runHook)(project, text, ["--agent", "my-agent"]),
        );
        expect(await Promise.all(five)).toEqual(Array(5).fill(silent));
      }
      await project.until("twenty deliveries", () => receiver.asked.length === 20);
      expect(toldCount(project.journal())).toBe(20);
      expect(new Set(receiver.asked.map(({ id }) => id)).size).toBe(20);
    });
  });
}

describe("in the foreground", () => {
  it("explain and hook --wait say what an event only repeats", async () => {
    const { project } = await tellingProject();
    runDispatcherOf(project);
    /** A new turn, as Cursor's own hook tells of it; what repeats it must come within ten seconds. */
    const tell = async (turn: string): Promise<string> => {
      const text = payload("cursor", "stop-completed").replace('"g1"', JSON.stringify(turn));
      await project.command(["hook", "--agent", "cursor", "--wait"], text);
      return text;
    };
    const explained = await project.command(["explain", "--json", "--agent", "claude-code"], await tell("first"));
    const why = expect.stringMatching(/^the same event as evt_\w+, through another hook$/);
    expect(JSON.parse(explained.stdout)).toMatchObject({
      rules: [{ name: "all", held: true }],
      deliveries: [],
      silent: [{ channel: "ops", why }],
    });
    expect((await project.command(["explain", "--agent", "claude-code"], await tell("second"))).stdout).toMatch(
      /notified.*\n {2}none[^]*ops.*the same event as evt_/,
    );
    expect(await project.command(["hook", "--wait", "--agent", "claude-code"], await tell("third"))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^no channel is notified: the same event as evt_\w+, through another hook\. See: /),
    });
    // Explaining is not telling.
    expect(decisions(project.journal())).toHaveLength(3 + 1);
  });
});

/** Puts a payload into incoming/, as a hook that was called with this `--agent` does. */
function accept({ dispatcher, clock }: RunningDispatcher, text: string, agentId: string): void {
  writeIncoming(dispatcher.layout, text, { agentId, nowMs: clock.now() });
}

describe("what known agents tell twice", () => {
  it.each<[what: string, agent: string, texts: string[], told: number]>([
    [
      "but Copilot CLI's error and the end by it, to who wants every end",
      "copilot-cli",
      [payload("copilot-cli", "pascal-ErrorOccurred"), payload("copilot-cli", "pascal-SessionEnd-error")],
      2,
    ],
    [
      "Qwen Code's stop and that it waits",
      "qwen-code",
      [
        payload("qwen-code", "Stop"),
        JSON.stringify({
          ...(JSON.parse(payload("qwen-code", "Notification-idle-prompt")) as object),
          session_id: (JSON.parse(payload("qwen-code", "Stop")) as { session_id: string }).session_id,
        }),
      ],
      1,
    ],
    [
      "Grok Build's end of a turn, not that of the program as another one, with two ends of the session",
      "grok",
      [payload("grok", "stop"), payload("grok", "session_end"), payload("grok", "stop-at-shutdown")],
      2,
    ],
    ["Droid's end", "droid", [payload("droid", "SessionEnd-other"), payload("droid", "SessionEnd-other")], 1],
    [
      "but two stops of Droid's",
      "droid",
      [payload("droid", "Stop"), payload("droid", "Stop").replace(/"message_id":"./, '"message_id":"')],
      2,
    ],
    ["Claude Code's stop, by two settings files", "claude-code", Array(2).fill(payload("claude-code", "Stop")), 1],
    ["but the ends of a script's sessions", "generic", Array(2).fill(payloadOf("SessionEnd", { reason: "done" })), 2],
  ])("%s: told so often as it is news", async (_what, agent, texts, told) => {
    const receiver = await startReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(receiver.origin));
    for (const text of texts) {
      accept(running, text, agent);
      running.clock.turn(1);
    }
    void running.run();
    await running.until("every decision", () => running.journal("decision").length === texts.length);
    await running.until(
      "every delivery",
      () => receiver.asked.length === told && running.journal("attempt").length === told,
    );
    expect(listDeliveries(running.dispatcher.layout, "outbox")).toEqual([]);
  });
});

describe("what a session remembers", () => {
  it("outlives the dispatcher", async () => {
    const { project } = await tellingProject();
    const text = payload("cursor", "stop-completed");
    const startMs = Date.now();
    for (const agent of ["cursor", "claude-code"]) {
      await arriveTogether(project, [() => project.hook(text, ["--agent", agent])], startMs);
    }
    expect(decisions(project.journal())).toHaveLength(2);
    expect(toldCount(project.journal())).toBe(1);
  });
});
