// The channels that a command names.
import { exitCodes, UserError } from "../../model/errors.ts";
import { suggest } from "../../rules/nearest.ts";
import type { Channel, Rules } from "../../rules/rules.ts";

/** All channels where none is named. */
export function chooseChannels(rules: Rules, names: readonly string[]): Channel[] {
  if (names.length === 0) return Object.values(rules.channels);
  return names.map((name) => {
    const channel = Object.hasOwn(rules.channels, name) ? rules.channels[name] : undefined;
    if (channel !== undefined) return channel;
    const known = Object.keys(rules.channels);
    throw new UserError("channel.unknown", `there is no channel "${name}" in the rules`, {
      hint: suggest(name, known, "channels"),
      exitCode: exitCodes.usage,
    });
  });
}
