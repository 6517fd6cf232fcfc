// `hookbell channels NAME`: prints a channel without its secrets, and the rules that notify it.
import { formatDuration } from "../../model/figures/duration.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { printableLine } from "../../model/text.ts";
import { holdsSecret } from "../../rules/literal-secrets.ts";
import type { Channel } from "../../rules/rules.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint, wrap } from "../../console/output/text.ts";
import { type ConfiguredChannel, notifiedBy } from "./list.ts";
import { passedOn } from "./show-type.ts";

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
  const notified = notifiedBy(rules);
  const off = switchedOff === undefined ? "" : `; ${paint(io, "red", "switched off")}: ${switchedOff}`;
  const wait = `A message waits at most ${formatDuration(channel.expiresAfterMs)}. It contains ${passedOn[channel.content]}.`;
  const more = `Test it: hookbell test ${channel.name}. More settings: hookbell channels ${channel.type}`;
  return `${paint(io, "bold", channel.name)}  ${channel.type}; ${notified}${off}\n${rows.join("")}\n${wrap(wait, io.columns)}\n${wrap(more, io.columns)}\n`;
}

/** The settings as in the rules file, with secrets masked. */
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
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(members.map(([key, inner]) => [key, shown(inner)]));
}

/** The host of a URL that contains a secret; nothing of any other secret. */
export function glimpse(secret: string): string {
  if (!holdsSecret(secret)) return secret;
  return /^(https?|smtps?):/i.test(secret) && URL.canParse(secret)
    ? `${secret.split(":")[0]}://${new URL(secret).host}/…`
    : "…";
}
