// One event that comes by two hook setups, with a dispatcher that is killed before each of its steps in turn.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { stoppedAt } from "../support/faults/stop-at-step.ts";
import { prepareDispatcher, rulesTo } from "../support/project/running-dispatcher.ts";
import { cliPath, end } from "../support/project/running-project.ts";
import { startAnsweringReceiver } from "../support/receivers/answering-receiver.ts";

const text = readFileSync(new URL("../agents/known/cursor/documented/stop-completed.json", import.meta.url), "utf8");

it("one event by two hook setups is delivered when its dispatcher is killed at any step", async () => {
  let repeated = 0;
  let steps = 0;
  for (let isStopped = true; isStopped;) {
    steps += 1;
    const receiver = await startAnsweringReceiver(() => ({ status: 200 }));
    onTestFinished(receiver.close);
    const running = prepareDispatcher();
    running.writeRules(rulesTo(receiver.origin));
    const { layout, tools } = running.dispatcher;
    for (const agentId of ["cursor", "claude-code"]) {
      writeIncoming(layout, text, { agentId, nowMs: running.clock.now() });
    }
    const env = {
      PATH: process.env.PATH,
      HOME: tools.home,
      HOOKBELL_CONFIG_DIR: tools.home,
      HOOKBELL_STATE_DIR: layout.root,
      ...stoppedAt(steps),
    };
    const ended = await end(spawn(process.execPath, [cliPath, "dispatch", "--until-idle"], { env }), "");
    isStopped = ended.signal === "SIGKILL";
    const isDone = (): boolean => listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;
    const run = running.run();
    await running.until("an end", isDone);
    running.stop();
    await run;
    const ids = new Set(receiver.asked.map(({ id }) => id));
    expect([steps, ids.size > 0, listDeliveries(layout, "dead")]).toEqual([steps, true, []]);
    repeated += ids.size - 1;
    if (!isStopped) expect([ended.code, ids.size]).toEqual([0, 1]);
  }
  process.stdout.write(
    `one event by two hook setups: stopped at each of ${steps} steps, told twice ${repeated} times\n`,
  );
  expect(steps).toBeGreaterThan(10);
});
