import { formatDuration } from "../../model/duration.ts";
import { printableLine } from "../../model/text.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { holdsSecret } from "../../rules/literal-secrets.ts";
import type { Channel } from "../../rules/rules.ts";
import type { ConfiguredChannel } from "./list.ts";
import { passedOn } from "./show-type.ts";
import { paint, wrap } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";

/** `hookbell channels NAME`: what is configured, without its secrets, and who notifies it. */
export function showChannel(
  channel: Channel,
  { rules, switchedOff }: ConfiguredChannel,
  io: Pick<CommandIo, "isColor" | "columns">,
): string {
  const settings = Object.entries(settingsWithoutSecrets(channel));
  const width = Math.max(0, ...settings.map(([key]) => key.length));
  const rows = settings.map(
    ([key, value]) => `  ${paint(io, "cyan", key.padEnd(width))}  ${printableLine(JSON.stringify(value))}\n`,
  );
  const notified = rules.length === 0 ? "no rule notifies it" : `notified by ${printableLine(rules.join(", "))}`;
  const off = switchedOff === undefined ? "" : `; ${paint(io, "red", "switched off")}: ${switchedOff}`;
  const wait = `A message waits for at most ${formatDuration(channel.expiresAfterMs)}; it passes on ${passedOn[channel.content]}.`;
  const more = `hookbell test ${channel.name} tries it; hookbell channels ${channel.type} says what else it may have.`;
  return `${paint(io, "bold", channel.name)}  ${channel.type}; ${notified}${off}\n${rows.join("")}\n${wrap(wait, io.columns)}\n${wrap(more, io.columns)}\n`;
}

/** The channel's own settings as they would stand in a rules file; of a secret in it, at most the host. */
export function settingsWithoutSecrets({ settings }: Pick<Channel, "settings">): Record<string, unknown> {
  return shown(settings) as Record<string, unknown>;
}

function shown(value: unknown): unknown {
  if (value instanceof Secret) return glimpse(value.reveal());
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  const { from, ...rest } = value as Record<string, unknown>;
  if (from === "literal" && rest.value instanceof Secret) return glimpse(rest.value.reveal());
  if (from === "env") return { env: rest.name };
  if (from === "file") return { file: rest.path };
  if (from === "command" && Array.isArray(rest.argv)) return { command: rest.argv };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, shown(inner)]),
  );
}

/** Of a text that lets somebody in, where it leads and no more. */
export function glimpse(secret: string): string {
  if (!holdsSecret(secret)) return secret;
  return /^(https?|smtps?):/i.test(secret) && URL.canParse(secret)
    ? `${secret.split(":")[0]}://${new URL(secret).host}/…`
    : "…";
}
