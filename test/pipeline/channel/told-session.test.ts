// Which session a channel is told of: that of an agent, and none for what stands in no session.
import { expect, it } from "vitest";
import type { SendRequest } from "../../../src/channels/channel-type.ts";
import { newDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { attempt, type ReadyChannel } from "../../../src/pipeline/channel/call-channel.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { compileTemplate } from "../../../src/rules/schema/template.ts";
import type { Channel } from "../../../src/rules/rules.ts";
import { eventOf } from "../../policies/messages.ts";

it.each([
  ["claude-code", "Stop", "s-1", "s-1"],
  ["platform", "UsageDigest", "usage-digest-2026-03-01", ""],
])("an event of %s: %s of %s is told as of %j", async (agent, name, session, told) => {
  const event = { ...eventOf("Stop"), agent, name, session };
  const { template } = compileTemplate("in {session}.");
  const message = renderMessage({ body: template }, event, {});
  expect(message.body).toBe(`in ${told}.`);
  const requests: SendRequest<unknown>[] = [];
  const channelType = { timeoutMs: 1000, send: (request: SendRequest<unknown>) => void requests.push(request) };
  const ready: ReadyChannel = {
    settings: {},
    secretsDigest: "",
    call: async (_, use) => ({ value: await use({} as never, {} as never) }),
  };
  const payload = { session_id: session, hook_event_name: name };
  const expiresAt = Date.parse(event.at) + 1000;
  const given = { kind: "event", channel: "hook", rule: "r", event, message, payload, expiresAt, joins: undefined };
  const delivery = newDelivery(0, given as Parameters<typeof newDelivery>[1]);
  await attempt(delivery, { channelType } as unknown as Channel, ready, {});
  expect(requests).toMatchObject([{ event: { session: told, name }, payload: { session_id: told } }]);
  // What hookbell keeps has the session: by it an event is queued once.
  expect(delivery.event.session).toBe(session);
});
