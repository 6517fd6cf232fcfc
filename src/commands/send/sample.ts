// Sends one sample through a channel, past the queue.
import { attempt, readySettings } from "../../dispatch/send/attempt.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Outcome } from "../../model/outcome.ts";
import { newDelivery } from "../../outbox/deliveries.ts";
import type { Channel } from "../../rules/rules.ts";
import { randomId } from "../../system/crypto.ts";

export async function sendSample(
  { rules, tools, host }: Pick<Dispatcher, "rules" | "tools" | "host">,
  channel: Channel,
): Promise<{ outcome: Outcome; ms: number }> {
  const startedAt = tools.clock.now();
  const ready = await readySettings(channel, rules().rules, tools);
  const sample = sampleFor(channel, host, startedAt);
  const outcome = "status" in ready ? ready : await attempt(sample, channel, ready, undefined, tools);
  return { outcome, ms: tools.clock.now() - startedAt };
}

function sampleFor(channel: Channel, host: string, nowMs: number): Delivery {
  const id = randomId();
  return newDelivery(nowMs, {
    channel: channel.name,
    rule: "hookbell test",
    event: {
      id: `evt_${id}`,
      name: "Notification",
      agent: "hookbell",
      session: `test-${id.slice(0, 8)}`,
      cwd: "/",
      project: "hookbell",
      host,
      at: new Date(nowMs).toISOString(),
      level: "attention",
      message: "This is a test.",
    },
    message: {
      title: "hookbell: a test",
      body: `If you can read this, the channel "${channel.name}" works.`,
      level: "attention",
      fields: [
        { label: "Channel", value: `${channel.name} (${channel.type})` },
        { label: "Host", value: host },
      ],
    },
    payload: {
      hook_event_name: "Notification",
      session_id: `test-${id.slice(0, 8)}`,
      cwd: "/",
      message: "This is a test.",
    },
    expiresAt: nowMs + channel.expiresAfterMs,
  });
}
