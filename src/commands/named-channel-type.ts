import { channelTypes, findChannelType } from "../channels/index.ts";
import type { ChannelType } from "../channels/define-channel.ts";
import { exitCodes, PersonError } from "../model/errors.ts";
import { suggest } from "../rules/nearest.ts";

/** The type that a person named; `others` are words that could stand there as well. Throws a usage error for none. */
export function namedChannelType(name: string, others: readonly string[] = []): ChannelType {
  const found = findChannelType(name);
  if (found !== undefined) return found;
  const known = [...channelTypes.map(({ type }) => type), ...others];
  throw new PersonError("usage.channelType", `there is no channel type ${JSON.stringify(name)}`, {
    hint: suggest(name, known, "types"),
    exitCode: exitCodes.usage,
  });
}
