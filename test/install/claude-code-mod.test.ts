// The mod of the plug-in, called as Claude Code calls it: what it tells, and how often. test/live-agents has the real one.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../src/agents/known/claude-code/payload.ts";

type Handler = ($: unknown, e: object, next: (e: object) => object) => object;
interface Told {
  argv: string[];
  payload: Record<string, unknown>;
}

const modPath = new URL("../../hooks/claude-code-mod.mjs", import.meta.url);

/** One session each; they share the store. `fails`: the program cannot be run. */
async function sessions(fails = false) {
  const { register } = (await import(modPath.href)) as { register(on: (event: string, hook: Handler) => void): void };
  const store = new Map<string, unknown>();
  const told: Told[] = [];
  const engine = {
    plugin: { root: "/plug-in" },
    session: { id: async () => "s1", cwd: async () => "/home/u/shop-web" },
    store: {
      get: async (key: string) => store.get(key),
      set: async (key: string, value: unknown) => void store.set(key, structuredClone(value)),
    },
    process: {
      run: async (argv: string[], { stdin }: { stdin: string }) => {
        if (fails) throw new Error("no such program");
        told.push({ argv, payload: JSON.parse(stdin) as Record<string, unknown> });
      },
    },
  };
  const begin = () => {
    const hooks = new Map<string, Handler>();
    register((event, hook) => hooks.set(event, hook));
    return async (event: string, e: object) => {
      const result = hooks.get(event)?.(engine, e, (passed) => passed);
      await new Promise((resolve) => setImmediate(resolve));
      return result;
    };
  };
  const names = () => told.map(({ payload: { hook_event_name, step } }) => [hook_event_name, step]);
  return { begin, told, names };
}

const measured = (percent: number, more: object = {}) => ({
  context: { percent, tokens: percent * 2000, window: 200_000 },
  rateLimits: [],
  changed: ["context"],
  ...more,
});
const limits = (percentUsed: number, resetsAt = "2026-11-23T15:30:00.000Z") => ({
  rateLimits: [{ kind: "five_hour", percentUsed, resetsAt }],
  changed: ["rateLimits"],
});

describe("the mod of the plug-in", () => {
  it("tells each step of the context once, and again after it was compacted", async () => {
    const { begin, names } = await sessions();
    const raise = begin();
    for (const percent of [10, 71, 75, 86, 99, 99, 12, 73]) await raise("session.measure", measured(percent));
    expect(names()).toEqual([
      ["ContextHigh", 70],
      ["ContextHigh", 85],
      ["ContextHigh", 95],
      ["ContextHigh", 70],
    ]);
  });

  it("tells each step of a limit once for all sessions, and again after its reset", async () => {
    const { begin, names } = await sessions();
    const [first, second] = [begin(), begin()];
    await first("session.measure", measured(0, limits(81)));
    await second("session.measure", measured(0, limits(82)));
    await second("session.measure", measured(0, limits(96)));
    await first("session.measure", measured(0, limits(97)));
    await first("session.measure", measured(0, limits(80, "2026-11-23T20:30:00.000Z")));
    expect(names()).toEqual([
      ["LimitHigh", 80],
      ["LimitHigh", 95],
      ["LimitHigh", 80],
    ]);
  });

  it("tells each step of the cost once", async () => {
    const { begin, names } = await sessions();
    const raise = begin();
    for (const usd of [1, 5.5, 6, 21]) await raise("session.measure", measured(0, { cost: { usd } }));
    await raise("session.measure", measured(0));
    expect(names()).toEqual([
      ["CostHigh", 5],
      ["CostHigh", 20],
    ]);
  });

  it("tells of a turn that was stopped, and not of a subagent's or of one that ended", async () => {
    const { begin, told } = await sessions();
    const raise = begin();
    await raise("turn.complete", { isAborted: false, reason: "answer" });
    await raise("turn.complete", { isAborted: true, agentId: "a1" });
    await raise("turn.complete", { isAborted: true });
    expect(told).toEqual([
      {
        argv: ["/bin/sh", "/plug-in/bin/hookbell", "hook", "--agent", "claude-code", "--by", "plugin"],
        payload: { hook_event_name: "Interrupt", session_id: "s1", cwd: "/home/u/shop-web" },
      },
    ]);
    const payload = { hook_event_name: "Interrupt", session_id: "s1", cwd: "/home/u/shop-web" };
    expect(claudeCode.facts(payload, "Interrupt")).toMatchObject({ means: "interrupted" });
  });

  it("passes every event on unchanged, also when the program cannot be run", async () => {
    const { begin } = await sessions(true);
    const raise = begin();
    const event = measured(99, { ...limits(99), cost: { usd: 99 } });
    expect(await raise("session.measure", event)).toBe(event);
  });

  it("imports nothing: Claude Code loads no such module", () => {
    expect(readFileSync(modPath, "utf8")).not.toMatch(/^import|\brequire\(|\bimport\(/m);
  });
});
