import { readFileSync, utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { renewEveryMs } from "../../../src/outbox/lease/lease.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startAnsweringReceiver } from "../../support/receivers/answering-receiver.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

const shortRenewals = new URL("../../support/faults/short-renewals.mjs", import.meta.url).href;
// All are taken in within the ten seconds that the first request may take, also on a slow disk.
const events = 5;

describe("a dispatcher that is frozen past its lease", () => {
  it("sends nothing more when it wakes up, and brings nothing back that another has delivered (posix)", async () => {
    let isFirst = true;
    // The first dispatcher's first request has no answer until the receiver is asked to give one: with a failure.
    const receiver = await startAnsweringReceiver(() => {
      if (!isFirst) return { status: 200 };
      isFirst = false;
      return "hang";
    });
    onTestFinished(receiver.close);
    const project = temporaryProject();
    project.writeRules({
      channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } },
      rules: [{ name: "all", notify: ["ops"] }],
    });
    ensureLayout(project.layout);
    const accept = (session_id: string, nowMs: number): void => {
      writeIncoming(project.layout, payloadOf("Stop", { session_id }), { agentId: "generic", nowMs });
    };
    for (let index = 0; index < events; index += 1) accept(`s${index}`, Date.now() + index);
    project.env.NODE_OPTIONS = `--import=${shortRenewals}`;
    expect(renewEveryMs).toBe(5000);
    const frozen = project.start(["dispatch"]);
    delete project.env.NODE_OPTIONS;
    await project.until("its first request", () => receiver.asked.length === 1);
    await project.until("all taken in", () => listIncoming(project.layout).length === 0);
    const token = readFileSync(project.layout.lease, "utf8");
    frozen.kill("SIGSTOP");
    // Past its next renewal, which then comes as it wakes; the rest of the lease is taken off.
    await sleep(renewEveryMs / 10 + 500);
    utimesSync(project.layout.lease, Date.now() / 1000 - 1, Date.now() / 1000 - 1);

    // Another takes over, and delivers everything; the frozen one's open request too, since no one knows of it.
    expect(await project.command(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
    expect(listDeliveries(project.layout, "outbox")).toEqual([]);
    const askedByBoth = receiver.asked.length;
    expect(askedByBoth).toBe(1 + events);
    const journal = project.journal().length;

    // More comes while it still sleeps; it must not take that either, once a third one holds the lease.
    accept("late", Date.now());
    const third = project.start(["dispatch"]);
    await project.until("a third one", () => project.journal().length > journal);
    expect(dispatcherPid(project)).toBe(third.pid);
    receiver.drop();
    frozen.kill("SIGCONT");
    const ended = new Promise((resolve) => frozen.once("exit", resolve));
    await ended;
    await project.until("the late one", () => receiver.asked.length > askedByBoth);
    await project.until("its end", () => listDeliveries(project.layout, "outbox").length === 0);
    expect(readFileSync(project.layout.lease, "utf8")).not.toBe(token);
    expect(dispatcherPid(project)).toBe(third.pid);
    expect(listDeliveries(project.layout, "outbox")).toEqual([]);
    expect(listDeliveries(project.layout, "dead")).toEqual([]);
    expect(receiver.asked.length).toBe(askedByBoth + 1);
    const ids = new Map<string, number>();
    for (const { id } of receiver.asked) ids.set(id, (ids.get(id) ?? 0) + 1);
    expect([...ids.values()].filter((count) => count > 1)).toEqual([2]);
    expect(ids.size).toBe(events + 1);
    third.kill("SIGTERM");
  });
});
