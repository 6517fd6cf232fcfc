import type { ChannelType } from "../../channels/channel-type.ts";
import { channelTypes, findChannelType } from "../../channels/all.ts";
import { exitCodes, UserError } from "../../model/errors.ts";
import { nearest, suggest } from "../../rules/nearest.ts";

/** What a channel is called where the person has no name for it: its type, with a number behind it if need be. */
export function defaultName(type: string, taken: readonly string[] = []): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? type : `${type}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** The file of a secret, beside the rules: `team.url`. */
export function secretFileName(channel: string, key: string): string {
  const plain = channel.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return `${plain}.${key}`;
}

/** The type that a person named; `others` are words that could stand there as well. Throws a usage error for none. */
export function namedChannelType(name: string, others: readonly string[] = []): ChannelType {
  const found = findChannelType(name);
  if (found !== undefined) return found;
  const types = channelTypes.map(({ type }) => type);
  const meant = nearest(name, [...types, ...others]);
  const more = others.length === 0 ? "" : `; or ${others.join(", ")}`;
  throw new UserError("usage.channelType", `there is no channel type ${JSON.stringify(name)}`, {
    hint: meant === undefined ? `${suggest(name, types, "types")}${more}` : `did you mean ${JSON.stringify(meant)}?`,
    exitCode: exitCodes.usage,
  });
}
