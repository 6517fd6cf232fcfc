import { channelTypes } from "../channels/index.ts";
import type { ChannelType } from "../channels/define-channel.ts";
import { exitCodes, PersonError } from "../model/errors.ts";
import { suggest } from "../rules/nearest.ts";

/** Throws a usage error for a type that there is not. */
export function findChannelType(name: string): ChannelType {
  const found = channelTypes.find(({ type }) => type === name);
  if (found !== undefined) return found;
  throw new PersonError("usage.channelType", `there is no channel type ${JSON.stringify(name)}`, {
    hint: suggest(
      name,
      channelTypes.map(({ type }) => type),
      "types",
    ),
    exitCode: exitCodes.usage,
  });
}
