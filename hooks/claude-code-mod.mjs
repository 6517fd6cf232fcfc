// What Claude Code's settings hooks do not tell: a turn that you stopped, and a context, limit or cost that runs high.
// A mod, which Claude Code 2.1.287 and later loads from the plug-in; `claude plugin validate .` checks it. It runs without
// Node: all it can do is run the plug-in's program. Mods are in early access: where one cannot be loaded, the hooks work without it.

/** Percent of the context, percent of a limit, and dollars. Each step is told once. */
const contextSteps = [70, 85, 95];
const limitSteps = [80, 95];
const costSteps = [5, 10, 20, 50, 100, 200, 500, 1000];

const stepOf = (steps, value) => steps.findLast((step) => value >= step) ?? 0;

/** Claude Code does not wait for it. */
const tell = ($, name, facts) => {
  const run = async () => {
    const payload = {
      hook_event_name: name,
      session_id: await $.session.id(),
      cwd: await $.session.cwd(),
      ...facts,
    };
    const program = `${$.plugin.root}/bin/hookbell`;
    const call = ["hook", "--agent", "claude-code", "--by", "plugin"];
    await $.process.run(["/bin/sh", program, ...call], { stdin: JSON.stringify(payload), timeoutMs: 10_000 });
  };
  // Nothing here may disturb the agent.
  run().catch(() => {});
};

/** The limits are the account's, so the sessions share what was told. */
const tellLimits = async ($, rateLimits) => {
  const told = (await $.store.get("limits")) ?? {};
  const now = {};
  const passed = [];
  for (const { kind, percentUsed, resetsAt = "" } of rateLimits) {
    const step = stepOf(limitSteps, percentUsed);
    const before = told[kind]?.resetsAt === resetsAt ? told[kind].step : 0;
    now[kind] = { resetsAt, step: Math.max(step, before) };
    if (step > before) passed.push({ limit: kind, percent: percentUsed, step, resets_at: resetsAt });
  }
  if (passed.length === 0) return;
  await $.store.set("limits", { ...told, ...now });
  for (const facts of passed) tell($, "LimitHigh", facts);
};

export function register(on) {
  let context = 0;
  let cost = 0;

  on("turn.complete", ($, e, next) => {
    if (e.isAborted && e.agentId === undefined) tell($, "Interrupt", {});
    return next(e);
  });

  on("session.measure", ($, e, next) => {
    const { percent = 0, tokens, window } = e.context;
    const contextStep = stepOf(contextSteps, percent);
    if (contextStep > context) tell($, "ContextHigh", { percent, step: contextStep, tokens, window });
    // It falls when the conversation is compacted.
    context = contextStep;
    const usd = e.cost?.usd ?? 0;
    const costStep = stepOf(costSteps, usd);
    if (costStep > cost) tell($, "CostHigh", { usd, step: costStep });
    cost = Math.max(cost, costStep);
    if (e.changed.includes("rateLimits")) tellLimits($, e.rateLimits).catch(() => {});
    return next(e);
  });
}
