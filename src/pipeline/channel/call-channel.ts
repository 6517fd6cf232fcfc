// Calls a channel type: with its secrets, until a deadline, and without any secret in what comes back.
import type { ChannelTools, ProbeResult, RichMessage, SendRequest } from "../../channels/channel-type.ts";
import { type Delivery, isAboutList } from "../../model/delivery.ts";
import { messageOf, UserError } from "../../model/errors.ts";
import type { Message } from "../../model/message.ts";
import { failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { toldSession } from "../../model/own-events.ts";
import { secretsIn, withoutSecretsIn } from "../../model/privacy/redact.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { duringWork } from "../../outbox/stuck/note.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import { DeadlineError, withDeadline } from "../../system/clock.ts";
import { sha256 } from "../../system/crypto.ts";
import type { Environment } from "../../system/environment.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { secretVariables } from "../understand/agent-environment.ts";

/** `missingSecret`: the channel type was not called. `refused`: it says itself that it failed. */
export interface CallFailure {
  failure: "missingSecret" | "late" | "refused" | "bug";
  /** One line, without secrets. */
  detail: string;
  hint?: string | undefined;
}

/** What the channel type returned, with `[secret]` in place of each secret. */
export type Called<T> = { value: T } | CallFailure;

/** A listener has no deadline; it ends when its signal is aborted. */
export type CallLimit = { timeoutMs: number } | { signal: AbortSignal };

export interface ReadyChannel {
  settings: unknown;
  /** The digest changes when the user changes a secret. */
  secretsDigest: string;
  call<T>(limit: CallLimit, use: (settings: never, tools: ChannelTools) => T | Promise<T>): Promise<Called<T>>;
}

type Caller = Pick<Dispatcher, "tools" | "rules">;

/** Resolves the channel's secrets, so that several calls can share them. */
export async function readyChannel(dispatcher: Caller, channel: Channel): Promise<ReadyChannel | CallFailure> {
  const { tools } = dispatcher;
  let settings: unknown;
  try {
    settings = await resolveSecrets(channel.settings, tools.env, tools.home);
  } catch (error) {
    if (!(error instanceof UserError))
      return { failure: "bug", detail: `its secrets cannot be read: ${messageOf(error)}` };
    return { failure: "missingSecret", detail: error.message, hint: error.hint };
  }
  const secrets = [settings, inheritedSecrets(dispatcher.rules().rules, tools.env)];
  return {
    settings,
    secretsDigest: sha256(secretsIn(settings).join("\n")).slice(0, 16),
    async call(limit, use) {
      const run = async (signal: AbortSignal) => await use(settings as never, { ...tools, signal });
      try {
        const value = await ("signal" in limit ? run(limit.signal) : withDeadline(tools.clock, limit.timeoutMs, run));
        return { value: withoutSecretsIn(value, secrets) };
      } catch (error) {
        return withoutSecretsIn(failureOf(error), secrets);
      }
    },
  };
}

/** A plain `Error` is how a channel type says that it failed; every other one is a bug. */
function failureOf(error: unknown): CallFailure {
  const detail = messageOf(error);
  if (error instanceof DeadlineError) return { failure: "late", detail };
  const isPlain = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
  if (isPlain || error instanceof UserError) return { failure: "refused", detail };
  return { failure: "bug", detail: `a bug in this channel type: ${detail}` };
}

export async function callChannel<T>(
  dispatcher: Caller,
  channel: Channel,
  limit: CallLimit,
  use: (settings: never, tools: ChannelTools) => T | Promise<T>,
): Promise<Called<T>> {
  const ready = await readyChannel(dispatcher, channel);
  return "failure" in ready ? ready : await ready.call(limit, use);
}

/** One try to send one delivery. */
export async function attempt(
  delivery: Delivery,
  { channelType }: Channel,
  ready: ReadyChannel,
  shown: Pick<SendRequest<unknown>, "remembered" | "terminal" | "question" | "click" | "isSilent">,
): Promise<Outcome> {
  const { event, id, attempts } = delivery;
  const session = toldSession(event);
  const given = "payload" in delivery ? delivery.payload : undefined;
  const payload = given?.session_id === undefined || session !== "" ? given : { ...given, session_id: session };
  const [isList, isEdit] = [isAboutList(delivery), delivery.kind === "edit"];
  const work = `outbox/${id}`;
  const message = { ...(await readMessage(delivery.message, work)), link: event.link };
  const called = await ready.call({ timeoutMs: channelType.timeoutMs }, (settings, tools) => {
    const request = {
      settings,
      message,
      event: { ...event, session },
      isList,
      isEdit,
      payload,
      deliveryId: id,
      attempt: attempts + 1,
      ...shown,
    };
    return duringWork(work, () => channelType.send(request, tools));
  });
  return "failure" in called ? failedCall(called) : called.value;
}

/** How far a call got that did not return is not known. */
export function failedCall({ failure, detail, hint }: CallFailure): Failed {
  if (failure !== "missingSecret") return failed("unknown", detail);
  return failed("missingSecret", [detail, hint].filter(Boolean).join("; "));
}

async function readMessage(message: Message, work: string): Promise<RichMessage> {
  if (message.isMarkdown !== true) return message;
  const { parseMarkdown } = await import("../../model/rich-text/parse-markdown.ts");
  return { ...message, blocks: duringWork(work, () => parseMarkdown(message.body)) };
}

/** Writes a failed call into the journal, under this title. */
export function noteFailedCall(
  { layout, tools }: Pick<Dispatcher, "layout" | "tools">,
  channel: Channel,
  title: string,
  called: Called<unknown>,
): called is CallFailure {
  if (!("failure" in called)) return false;
  writeJournal(layout, tools.clock.now(), { kind: "notice", channel: channel.name, title, body: called.detail });
  return true;
}

/** A channel's program inherits the variables of all channels, and may print them. */
export function inheritedSecrets(rules: Pick<Rules, "channels">, env: Environment): Secret[] {
  return [...secretVariables(rules)]
    .map((name) => new Secret(env[name] ?? ""))
    .filter((secret) => secret.reveal() !== "");
}

const probeTimeoutMs = 10_000;

export async function probe(dispatcher: Dispatcher, channel: Channel): Promise<ProbeResult> {
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) return { status: "broken", detail: ready.detail, fix: ready.hint ?? "see the rules file" };
  const look = channel.channelType.probe;
  if (look === undefined) return { status: "ok", detail: "its settings are complete; hookbell test sends one message" };
  const called = await ready.call({ timeoutMs: probeTimeoutMs }, look);
  if (!("failure" in called)) return called.value;
  const fix = called.failure === "late" ? "check whether its receiver answers" : "please report it";
  return { status: "broken", detail: called.detail, fix };
}
