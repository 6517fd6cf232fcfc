import { channelTypes, findChannelType } from "../../channels/index.ts";
import type { ChannelType } from "../../channels/channel-type.ts";
import { exitCodes, PersonError } from "../../model/errors.ts";
import { nearest, suggest } from "../../rules/nearest.ts";

/** The type that a person named; `others` are words that could stand there as well. Throws a usage error for none. */
export function namedChannelType(name: string, others: readonly string[] = []): ChannelType {
  const found = findChannelType(name);
  if (found !== undefined) return found;
  const types = channelTypes.map(({ type }) => type);
  const meant = nearest(name, [...types, ...others]);
  const more = others.length === 0 ? "" : `; or ${others.join(", ")}`;
  throw new PersonError("usage.channelType", `there is no channel type ${JSON.stringify(name)}`, {
    hint: meant === undefined ? `${suggest(name, types, "types")}${more}` : `did you mean ${JSON.stringify(meant)}?`,
    exitCode: exitCodes.usage,
  });
}
