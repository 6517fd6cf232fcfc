// Sends one sample through a channel, without the queue.
import { attempt, failedCall, readyChannel } from "../../pipeline/channel/call-channel.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Outcome } from "../../model/outcome.ts";
import { deliveryFileName, deliveryIdOf, newDelivery, writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import type { Layout } from "../../outbox/layout.ts";
import { writeSession } from "../../outbox/sessions.ts";
import { blankSession } from "../../sessions/session-schema.ts";
import type { Channel } from "../../rules/rules.ts";
import { randomId } from "../../system/crypto.ts";
import { uniqueName } from "../../system/files/files.ts";

export async function sendSample(
  dispatcher: Pick<Dispatcher, "rules" | "tools" | "host" | "layout">,
  channel: Channel,
): Promise<{ outcome: Outcome; ms: number; isTakenBack: boolean }> {
  const { tools, host, layout } = dispatcher;
  const startedAt = tools.clock.now();
  const ready = await readyChannel(dispatcher, channel);
  const sample = sampleFor(channel, host, startedAt);
  const outcome = "failure" in ready ? failedCall(ready) : await attempt(sample, channel, ready, {});
  const place = outcome.status === "delivered" ? outcome.remember : undefined;
  const isTakenBack = place !== undefined && channel.channelType.retract !== undefined;
  if (isTakenBack) takeBackLater(layout, sample, place, tools.clock.now());
  return { outcome, ms: tools.clock.now() - startedAt, isTakenBack };
}

/** By this time a person has seen the sample. */
const shownMs = 60_000;

/** The dispatcher takes the sample back, so the command does not wait. */
function takeBackLater(layout: Layout, sample: Delivery, place: Record<string, string>, nowMs: number): void {
  const { event, channel } = sample;
  const { agent, session } = event;
  writeSession(layout, { ...blankSession, agent, session, lastSeenAt: nowMs, remembered: { [channel]: place } });
  const id = deliveryIdOf(`${event.id} taken back`, channel);
  const delivery = newDelivery(nowMs, {
    kind: "retraction",
    why: "it was a sample of hookbell test",
    id,
    channel,
    rule: sample.rule,
    event: { ...event, name: "SessionEnd" },
    message: sample.message,
    notBefore: nowMs + shownMs,
    expiresAt: sample.expiresAt,
  });
  writeDelivery(layout, "outbox", deliveryFileName(uniqueName(nowMs), 0, id), delivery);
}

/** It rings as a question does, and its title says that it is none, since a phone may show no more than the title. */
function sampleFor(channel: Channel, host: string, nowMs: number): Delivery {
  const id = randomId();
  const session = `test-${id.slice(0, 8)}`;
  const project = "hookbell test";
  const message = `No agent waits: this is a test of hookbell. The channel "${channel.name}" works.`;
  return newDelivery(nowMs, {
    kind: "event",
    channel: channel.name,
    rule: "hookbell test",
    event: {
      id: `evt_${id}`,
      name: "PermissionRequest",
      agent: "hookbell",
      session,
      cwd: "/home/me/my-project",
      project,
      host,
      at: new Date(nowMs).toISOString(),
      level: "attention",
      message,
    },
    message: {
      title: `${project}: this is only a test`,
      body: message,
      level: "attention",
      fields: [
        { label: "Channel", value: `${channel.name} (${channel.type})` },
        { label: "Host", value: host },
      ],
    },
    payload: { hook_event_name: "PermissionRequest", session_id: session, cwd: "/home/me/my-project", message },
    expiresAt: nowMs + channel.expiresAfterMs,
  });
}
