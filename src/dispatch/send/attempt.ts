// One try to send one delivery, with its secrets and until its deadline.
import type { ChannelTools, RichMessage, SendRequest } from "../../channels/channel-type.ts";
import type { Delivery } from "../../model/delivery.ts";
import { messageOf, UserError } from "../../model/errors.ts";
import type { Message } from "../../model/message.ts";
import { failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { secretsIn, withoutSecrets } from "../../model/privacy/redact.ts";
import { Secret } from "../../model/privacy/secret.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import type { Environment } from "../../system/environment.ts";
import { secretVariables } from "../understand/agent-environment.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import { sha256 } from "../../system/crypto.ts";

type Tools = Omit<ChannelTools, "signal">;

/** For a channel that ignores its deadline. */
const graceMs = 1000;

export interface ReadySettings {
  settings: unknown;
  /** It changes when the user fixes something. */
  secretsDigest: string;
  /** Which a program of this channel may print. */
  inherited: readonly Secret[];
}

/** Or which secret is missing. */
export async function readySettings(
  channel: Channel,
  rules: Pick<Rules, "channels">,
  tools: Tools,
): Promise<ReadySettings | Failed> {
  try {
    const settings = await resolveSecrets(channel.settings, tools.env, tools.home);
    const digest = sha256(secretsIn(settings).join("\n"));
    return { settings, secretsDigest: digest.slice(0, 16), inherited: inheritedSecrets(rules, tools.env) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failed("missingSecret", [error.message, error.hint].filter(Boolean).join("; "));
  }
}

/** Another channel's program inherits these, and may print them. */
export function inheritedSecrets(rules: Pick<Rules, "channels">, env: Environment): Secret[] {
  return [...secretVariables(rules)]
    .map((name) => new Secret(env[name] ?? ""))
    .filter((secret) => secret.reveal() !== "");
}

export async function attempt(
  delivery: Delivery,
  channel: Channel,
  ready: ReadySettings,
  shown: Pick<SendRequest<unknown>, "remembered" | "terminal" | "question" | "click">,
  tools: Tools,
): Promise<Outcome> {
  const { channelType } = channel;
  const deadline = new AbortController();
  const sending = channelType.send(
    {
      settings: ready.settings as never,
      message: await readMessage(delivery.message),
      event: delivery.event,
      payload: delivery.payload,
      deliveryId: delivery.id,
      attempt: delivery.attempts + 1,
      ...shown,
    },
    { ...tools, signal: deadline.signal },
  );
  const outcome = await withDeadline(sending, channelType.timeoutMs, deadline, tools);
  return withoutSecrets(outcome, [ready.settings, ready.inherited]);
}

async function readMessage(message: Message): Promise<RichMessage> {
  if (message.isMarkdown !== true) return message;
  const { parseMarkdown } = await import("../../model/rich-text/parse-markdown.ts");
  return { ...message, blocks: parseMarkdown(message.body) };
}

/** Whatever the channel does: hang, throw, or come back late. */
async function withDeadline(
  sending: Promise<Outcome>,
  timeoutMs: number,
  deadline: AbortController,
  { clock }: Pick<ChannelTools, "clock">,
): Promise<Outcome> {
  let cancel = (): void => {};
  const late = new Promise<Outcome>((resolve) => {
    cancel = clock.after(timeoutMs, () => {
      deadline.abort();
      cancel = clock.after(graceMs, () => resolve(failed("unknown", `did not end within ${timeoutMs / 1000} s`)));
    });
  });
  try {
    return await Promise.race([sending, late]);
  } catch (error) {
    // How far it got is not known.
    return failed("unknown", `a bug in this channel type: ${messageOf(error)}`);
  } finally {
    cancel();
    sending.catch(() => {});
  }
}
