// A dispatcher on a clock that does not wait, whose receivers answer at once.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRules } from "../../../src/pipeline/current-rules.ts";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import { ensureLayout, layoutOf } from "../../../src/outbox/layout.ts";
import type { createFakeClock } from "../fake-clock.ts";

export interface VirtualDispatcher {
  dispatcher: Dispatcher;
  /** Requests without an answer yet. */
  requestsUnderWay(): number;
}

/** Its rules, state and home lie in `folder`. */
export async function virtualDispatcher(
  folder: string,
  clock: ReturnType<typeof createFakeClock>,
  rules: string,
): Promise<VirtualDispatcher> {
  const layout = layoutOf(join(folder, "state"));
  ensureLayout(layout);
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const rulesFile = join(folder, "rules.jsonc");
  writeFileSync(rulesFile, rules, { mode: 0o600 });
  let underWay = 0;
  const dispatcher: Dispatcher = {
    layout,
    ...(await openRules(rulesFile, layout)),
    tools: {
      clock,
      random: () => 1,
      env: {},
      platform: process.platform,
      async http() {
        underWay += 1;
        await new Promise(setImmediate);
        underWay -= 1;
        return { status: 200, headers: {}, body: '{"id":"x"}' };
      },
      home,
      stateDir: layout.root,
    },
    addToEnvironment() {},
    host: "desk",
    fleet: () => undefined,
  };
  return { dispatcher, requestsUnderWay: () => underWay };
}
