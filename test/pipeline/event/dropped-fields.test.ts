// An event of which a field is missing or odd is taken all the same, and its folder is looked for elsewhere.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { maxPayloadBytes, readPayload } from "../../../src/agents/read-payload.ts";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { planQuestion } from "../../../src/pipeline/answers/plan-question.ts";
import { processPayload } from "../../../src/pipeline/pipeline.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const agentId = "claude-code";
const desk = { type: "webhook", url: "http://127.0.0.1:9/x" };
const asked = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "npm test" } };

async function prepare(rules: unknown[]) {
  const running = prepareDispatcher();
  running.writeRules({ channels: { desk }, rules });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  /** What is planned for the event of a payload. */
  const take = async (payload: object, callerPids: readonly number[] = []) => {
    clock.turn(1000);
    const text = JSON.stringify({ session_id: "s1", ...payload });
    const file = writeIncoming(dispatcher.layout, text, { agentId, nowMs: clock.now(), callerPids });
    const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
    if (incoming === undefined) throw new Error("it is gone");
    const enqueued = await processPayload(dispatcher, incoming, () => true);
    return enqueued?.deliveries.map(({ delivery: { rule, event } }) => [rule, event.cwd, event.project]);
  };
  return { ...running, take };
}

const byFolder = [
  { name: "client", when: { cwd: "*/clients/*" }, notify: ["desk"], final: true },
  { name: "others", notify: ["desk"] },
];

describe("an event without a folder", () => {
  it.each([{}, { cwd: null }, { cwd: "" }, { cwd: 7 }])("is in its session's folder: %j", async (given) => {
    const { take, journal } = await prepare(byFolder);
    await take({ hook_event_name: "SessionStart", cwd: "/srv/clients/acme" });
    expect(await take({ ...asked, ...given })).toEqual([["client", "/srv/clients/acme", "acme"]]);
    expect(journal("event").at(-1)).toMatchObject({ drift: [{ field: "cwd", expected: "a non-empty string" }] });
  });

  it.runIf(process.platform === "linux")("is in that of the process which called, in a new session", async () => {
    const folder = join(temporaryFolder(), "clients", "acme");
    mkdirSync(folder, { recursive: true });
    const agent = spawn("sleep", ["60"], { cwd: folder, stdio: "ignore" });
    onTestFinished(() => void agent.kill());
    await once(agent, "spawn");
    const { take } = await prepare(byFolder);
    expect(await take({ ...asked, cwd: "" }, [agent.pid ?? 0])).toEqual([["client", folder, "acme"]]);
  });

  it("has none where nothing says it", async () => {
    const { take } = await prepare(byFolder);
    expect(await take({ ...asked, cwd: "" })).toEqual([["others", "", ""]]);
  });
});

it("an end of a session without its reason, and other fields that are odd, are taken and noted", async () => {
  const { take, journal } = await prepare([{ name: "all", notify: ["desk"] }]);
  const base = { cwd: "/srv/shop" };
  const odd = { last_assistant_message: { text: "x" }, stop_hook_active: null, background_tasks: null };
  expect(await take({ ...base, hook_event_name: "UserPromptSubmit", prompt: [{ type: "text" }] })).toHaveLength(1);
  expect(await take({ ...base, hook_event_name: "Stop", ...odd })).toHaveLength(1);
  expect(await take({ ...base, hook_event_name: "SessionEnd" })).toHaveLength(1);
  const fields = journal("event").map(({ drift = [] }) => (drift as { field: string }[]).map(({ field }) => field));
  expect(fields).toEqual([["prompt"], ["stop_hook_active", "last_assistant_message", "background_tasks"], ["reason"]]);
});

describe("what a hook asks elsewhere", () => {
  const planned = async (payload: object) => {
    const running = prepareDispatcher();
    running.writeRules({
      answers: { allow: ["Bash(npm test)"] },
      channels: { desktop: { type: "desktop", answers: true } },
      rules: [{ name: "all", notify: ["desktop"] }],
    });
    const { dispatcher, clock } = running;
    await dispatcher.rereadRules();
    const reading = readPayload(JSON.stringify({ session_id: "s1", ...payload }), { agentId, env: {} });
    if (reading.status === "invalid") throw new Error("it is refused");
    const surroundings = {
      env: {},
      clock,
      places: { ...dispatcher.layout, rulesFile: dispatcher.rulesFile, stateDir: dispatcher.layout.root, home: "/h" },
    };
    const { rules } = dispatcher.rules();
    const plan = await planQuestion("q1", reading, rules, dispatcher.layout, surroundings, () => Promise.resolve({}));
    if (!("question" in plan)) return plan;
    const { isAllowable, isOdd, cwd } = plan.question;
    return { isAllowable, isOdd, cwd };
  };
  const whole = { ...asked, cwd: "/srv/shop", permission_mode: "default" };

  it("can be allowed where all that decides it is as expected", async () => {
    expect(await planned(whole)).toEqual({ isAllowable: true, cwd: "/srv/shop" });
  });

  it.each([{ cwd: "" }, { cwd: undefined }, { tool_name: ["Bash"] }, { permission_mode: 1 }, { agent_id: 5 }])(
    "has no Allow where it is not: %j",
    async (odd) => {
      expect(await planned({ ...whole, ...odd })).toMatchObject({ isAllowable: false, isOdd: true });
    },
  );

  it("is nothing where the call's arguments are odd", async () => {
    expect(await planned({ ...whole, tool_input: "npm test" })).toMatchObject({ why: expect.any(String) as string });
  });
});
