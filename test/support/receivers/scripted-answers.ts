// Sends through a channel type to a vendor whose answers are written down, and keeps what it was sent.
import type { ChannelDefinition, ProbeResult } from "../../../src/channels/channel-type.ts";
import type { Message } from "../../../src/model/message.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "../channels/channel-request.ts";

export interface ScriptedAnswer {
  status: number;
  body: string;
}

/** A message like those that the default rules make. */
export function sampleMessage(more: Partial<Message>): Message {
  const fields = [{ label: "project", value: "shop" }];
  return { title: "shop: done", body: "All tests pass.", level: "success", fields, ...more };
}

/** One send; a request beyond the scripted answers fails the test. Secrets are resolved from `env`. */
export async function sendScripted(
  channel: ChannelDefinition,
  settings: Record<string, unknown>,
  answers: readonly ScriptedAnswer[],
  more: {
    env?: Record<string, string>;
    message?: Partial<Message>;
    remembered?: Record<string, string> | undefined;
  } = {},
): Promise<{ outcome: Outcome; requests: HttpRequest[] }> {
  const requests: HttpRequest[] = [];
  const resolved = await resolveSecrets(channel.settings.parse(settings), more.env ?? {}, "/nowhere");
  const http = (request: HttpRequest) => {
    requests.push(request);
    const answer = answers[requests.length - 1];
    if (answer === undefined) throw new Error("one request too many");
    return Promise.resolve({ headers: {}, ...answer });
  };
  const request = localRequest(more.message ?? {}, resolved, more.remembered);
  return { outcome: await channel.send(request, localTools({}, "/nowhere", { http })), requests };
}

/** What `doctor` is told, and what it was asked for. */
export async function probeScripted(
  channel: ChannelDefinition,
  settings: Record<string, unknown>,
  answer: ScriptedAnswer,
): Promise<{ result: ProbeResult | undefined; requests: HttpRequest[] }> {
  const requests: HttpRequest[] = [];
  const resolved = await resolveSecrets(channel.settings.parse(settings), {}, "/nowhere");
  const http = (request: HttpRequest) => {
    requests.push(request);
    return Promise.resolve({ headers: {}, ...answer });
  };
  return { result: await channel.probe?.(resolved as never, localTools({}, "/nowhere", { http })), requests };
}
