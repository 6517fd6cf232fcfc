import type { ChannelTools } from "../channels/define-channel.ts";
import type { Delivery } from "../model/delivery.ts";
import { messageOf, PersonError } from "../model/errors.ts";
import { delivered, failed, type Outcome } from "../model/outcome.ts";
import { redact } from "../model/redact.ts";
import { cut, printableLine } from "../model/text.ts";
import type { Channel } from "../rules/rules.ts";
import { resolveSecrets } from "../system/secrets.ts";

/** A channel that ignores the abort at its deadline is given up this much later. */
const graceMs = 1000;
const maxDetailLength = 500;

/** One try to send one delivery: secrets resolved, deadline kept, secrets taken out of what is said about it. */
export async function attempt(
  delivery: Delivery,
  channel: Channel,
  remembered: Readonly<Record<string, string>> | undefined,
  tools: Omit<ChannelTools, "signal">,
): Promise<Outcome> {
  const { channelType } = channel;
  let settings: unknown;
  try {
    settings = await resolveSecrets(channel.settings, tools.env, tools.home);
  } catch (error) {
    if (!(error instanceof PersonError)) throw error;
    return failed("unauthorized", [error.message, error.hint].filter(Boolean).join("; "));
  }
  const deadline = new AbortController();
  const sending = channelType.send(
    {
      settings: settings as never,
      message: delivery.message,
      event: delivery.event,
      payload: delivery.payload,
      deliveryId: delivery.id,
      attempt: delivery.attempts + 1,
      remembered,
    },
    { ...tools, signal: deadline.signal },
  );
  const outcome = await withDeadline(sending, channelType.timeoutMs, deadline, tools);
  return withoutSecrets(outcome, settings);
}

/** The outcome, whatever the channel does: hang, throw, or come back late. */
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
    // Nobody knows how far it came.
    return failed("unknown", `a bug in this channel type: ${messageOf(error)}`);
  } finally {
    cancel();
    sending.catch(() => {});
  }
}

function withoutSecrets(outcome: Outcome, settings: unknown): Outcome {
  const clean = (text: string): string => cut(printableLine(redact(text, settings)), maxDetailLength);
  if (outcome.status === "failed") return { ...outcome, detail: clean(outcome.detail) };
  return outcome.detail === undefined ? outcome : delivered({ ...outcome, detail: clean(outcome.detail) });
}
