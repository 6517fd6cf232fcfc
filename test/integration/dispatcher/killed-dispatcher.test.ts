import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

const events = 500;
const mostKills = 60;

describe("a dispatcher killed with SIGKILL at random moments", () => {
  it(`delivers every one of ${events} events, at least once`, async () => {
    const project = temporaryProject();
    const receiver = await startHttpReceiver();
    project.writeRules({
      channels: {
        ops: { type: "webhook", url: `${receiver.origin}/hook` },
        second: { type: "webhook", url: `${receiver.origin}/second` },
      },
      rules: [{ name: "all", when: { event: "Stop" }, notify: ["ops", "second"] }],
    });
    ensureLayout(project.layout);
    for (let index = 0; index < events; index += 1) {
      const text = payloadOf("Stop", { session_id: `s${index}`, last_assistant_message: `message ${index}` });
      writeIncoming(project.layout, text, { agentId: "generic", nowMs: Date.now() + index });
    }
    const isEmpty = (): boolean =>
      listIncoming(project.layout).length === 0 && listDeliveries(project.layout, "outbox").length === 0;

    const until = async (requests: number): Promise<void> => {
      const deadline = Date.now() + 5000;
      while (receiver.requests.length < requests && !isEmpty() && Date.now() < deadline) await sleep(Math.random() * 5);
    };

    let kills = 0;
    while (kills < mostKills && !isEmpty()) {
      const dispatcher = project.start(["dispatch"]);
      const exit = once(dispatcher, "exit");
      // Some while they are still loading or taking in; most in the middle of sending.
      if (kills % 4 === 0) await sleep(50 + Math.random() * 400);
      else await until(receiver.requests.length + Math.ceil(Math.random() * 40));
      dispatcher.kill("SIGKILL");
      await exit;
      kills += 1;
    }
    // What is left, if anything, the next one takes up.
    expect(await project.run(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
    await receiver.close();

    expect(isEmpty()).toBe(true);
    expect(listDeliveries(project.layout, "dead")).toEqual([]);
    for (const path of ["/hook", "/second"]) {
      const requests = receiver.requests.filter((request) => request.path === path);
      const ids = new Set(requests.map(({ headers }) => headers["webhook-id"]));
      const messages = new Set(
        requests.map(({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session),
      );
      expect(messages.size).toBe(events);
      expect(ids.size).toBe(events);
      // A kill between the receiver's answer and the removal of the file repeats that one message: under the same id.
      const duplicates = requests.length - ids.size;
      process.stdout.write(
        `${path}: ${kills} kills, ${requests.length} requests for ${events} events, ${duplicates} duplicates\n`,
      );
      expect(duplicates).toBeLessThanOrEqual(kills);
    }
    expect(kills).toBeGreaterThan(3);
  }, 240_000);
});
