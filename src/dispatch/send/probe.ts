// Looks at a channel without sending anything.
import type { ProbeResult } from "../../channels/channel-type.ts";
import { messageOf, UserError } from "../../model/errors.ts";
import { redact } from "../../model/privacy/redact.ts";
import type { Channel } from "../../rules/rules.ts";
import { withDeadline } from "../../system/clock.ts";
import { resolveSecrets } from "../../system/secrets.ts";
import type { Dispatcher } from "../dispatcher.ts";

const probeTimeoutMs = 10_000;

export async function probe({ tools }: Dispatcher, channel: Channel): Promise<ProbeResult> {
  let settings: unknown;
  try {
    settings = await resolveSecrets(channel.settings, tools.env, tools.home);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { status: "broken", detail: error.message, fix: error.hint ?? "see the rules file" };
  }
  const look = channel.channelType.probe;
  if (look === undefined) return { status: "ok", detail: "its settings are complete; hookbell test sends one message" };
  try {
    const result = await withDeadline(tools.clock, probeTimeoutMs, (signal) =>
      look(settings as never, { ...tools, signal }),
    );
    return { ...result, detail: redact(result.detail, settings) };
  } catch (error) {
    return { status: "broken", detail: redact(messageOf(error), settings), fix: "this is a bug in hookbell" };
  }
}
