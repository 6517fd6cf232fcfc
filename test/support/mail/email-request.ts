// One attempt through the e-mail channel, as the dispatcher makes it: settings validated, secrets resolved.
import type { ChannelTools } from "../../../src/channels/channel-type.ts";
import { email } from "../../../src/channels/email/email.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { Message } from "../../../src/model/message.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";

export const sampleEvent: AgentEvent = {
  id: "evt_1",
  name: "Notification",
  agent: "claude-code",
  session: "8d2f7c1e",
  cwd: "/src/shop",
  project: "shop",
  host: "buildbox",
  at: "2026-11-21T11:33:07.000Z",
  level: "attention",
};

export const sampleMessage: Message = {
  title: "shop: needs you",
  body: "May I run `npm publish`?",
  level: "attention",
  fields: [{ label: "project", value: "shop" }],
};

export function emailTools(signal: AbortSignal = AbortSignal.timeout(email.timeoutMs)): ChannelTools {
  return {
    clock: systemClock,
    random: () => 0.5,
    env: {},
    http: () => Promise.reject(new Error("e-mail makes no HTTP requests")),
    home: "/nonexistent",
    stateDir: "/nonexistent",
    platform: "linux",
    signal,
  };
}

export interface EmailAttempt {
  settings: Record<string, unknown>;
  message?: Partial<Message>;
  event?: Partial<AgentEvent>;
  deliveryId?: string;
  signal?: AbortSignal;
}

export async function resolveEmail(
  settings: Record<string, unknown>,
): Promise<Parameters<typeof email.send>[0]["settings"]> {
  return resolveSecrets(email.settings.parse(settings), {}, "/nonexistent");
}

export async function sendEmail(attempt: EmailAttempt): Promise<Outcome> {
  const request = {
    settings: await resolveEmail(attempt.settings),
    message: { ...sampleMessage, ...attempt.message },
    event: { ...sampleEvent, ...attempt.event },
    deliveryId: attempt.deliveryId ?? "msg_1",
    attempt: 1,
  };
  return email.send(request, emailTools(attempt.signal));
}
