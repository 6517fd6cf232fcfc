import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { deliveryFileName, newDelivery, placeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";

const count = 1500;
/** Sent while the disk takes the question. */
const mostBefore = 20;

/** As a hook names it, without its wait for the disk. */
function putIn({ dispatcher, clock }: RunningDispatcher, session: string, event: object): void {
  const file = `${uniqueName(clock.now())}.claude-code.-.json`;
  const payload = { session_id: session, cwd: "/home/you/shop-web", ...event };
  writeFileSync(join(dispatcher.layout.incoming, file), JSON.stringify(payload));
}

const question = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "npm test" } };

describe("a backlog", () => {
  let receiver: HttpReceiver;
  let running: RunningDispatcher;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
    running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/ops`));
  });
  afterEach(() => receiver.close());

  const heard = (): string[] =>
    receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { event: { name: string } } }).data.event.name);
  const isHeard = (name: string): boolean => heard().includes(name);

  it("in incoming/ lets a question that came last go first, and what its session sent before it", async () => {
    for (let index = 0; index < count; index += 1) putIn(running, `s${index}`, { hook_event_name: "Stop" });
    putIn(running, "asking", { hook_event_name: "UserPromptSubmit", prompt: "go" });
    putIn(running, "asking", question);
    void running.run();
    await running.until("the question", () => isHeard("PermissionRequest"));
    const names = heard();
    expect(names.indexOf("PermissionRequest")).toBeLessThan(mostBefore);
    expect(names.indexOf("UserPromptSubmit")).toBeLessThan(names.indexOf("PermissionRequest"));
    running.stop();
  });

  it("in outbox/ lets a question go first that waits there last, and one that comes in", async () => {
    const { clock, dispatcher } = running;
    const place = (name: string, session: string): void => {
      const position = uniqueName(clock.now());
      const event: AgentEvent = {
        id: `evt_${position}`,
        name,
        agent: "claude-code",
        session,
        cwd: "/home/you/shop-web",
        project: "shop-web",
        host: "testhost",
        at: new Date(clock.now()).toISOString(),
        level: "info",
      };
      const message = { title: name, body: "", level: "info" as const, fields: [] };
      const expiresAt = clock.now() + 1e9;
      const delivery = newDelivery(clock.now(), {
        kind: "event",
        channel: "ops",
        rule: "all",
        event,
        message,
        expiresAt,
      });
      placeDelivery(dispatcher.layout, deliveryFileName(position, 0, delivery.id), delivery);
    };
    for (let index = 0; index < count; index += 1) place("Stop", `s${index}`);
    place("Elicitation", "asking");
    putIn(running, "other", question);
    void running.run();
    await running.until("both questions", () => isHeard("PermissionRequest") && isHeard("Elicitation"));
    const names = heard();
    expect(names.indexOf("Elicitation")).toBeLessThan(mostBefore);
    expect(names.indexOf("PermissionRequest")).toBeLessThan(mostBefore);
    running.stop();
  });
});
