// Checks the names of channels, their secret files and their types.
import type { ChannelType } from "../../channels/channel-type.ts";
import { channelTypeNames, loadChannelType } from "../../channels/index.ts";
import { usageError } from "../../model/errors.ts";
import { nearest, suggest } from "../../rules/nearest.ts";

/** The type; with a number if that name is taken. */
export function defaultName(type: string, taken: readonly string[] = []): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? type : `${type}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

const maxNameLength = 64;

/** Says what is wrong with a new channel's name. Channels in existing rules files may break these rules. */
export function nameProblem(name: string, type: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return `there is already a channel ${JSON.stringify(name)}`;
  if (name.length > maxNameLength) return `a name has at most ${maxNameLength} characters`;
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(name)) {
    return "a name starts with a letter or digit and contains only letters, digits, dots, - and _";
  }
  const isOtherType = name !== type && channelTypeNames.includes(name);
  return isOtherType || ["add", "remove"].includes(name)
    ? `"hookbell channels ${name}" means something else`
    : undefined;
}

/** The file of a secret, beside the rules: `team.url`. */
export function secretFileName(channel: string, key: string): string {
  const plain = channel.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return `${plain}.${key}`;
}

/** Throws a usage error for an unknown type. `others` are further valid words, for the suggestion. */
export async function namedChannelType(name: string, others: readonly string[] = []): Promise<ChannelType> {
  if (channelTypeNames.includes(name)) return await loadChannelType(name);
  const meant = nearest(name, [...channelTypeNames, ...others]);
  const more = others.length === 0 ? "" : `; or ${others.join(", ")}`;
  const known = `${suggest(name, channelTypeNames, "types")}${more}`;
  throw usageError(
    "channelType",
    `there is no channel type ${JSON.stringify(name)}`,
    meant === undefined ? known : `did you mean ${JSON.stringify(meant)}?`,
  );
}
