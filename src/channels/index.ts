import type { ChannelType } from "./define-channel.ts";
import { desktop } from "./desktop.ts";

/** Every channel type there is, in the order of README's table. One line each. */
export const channelTypes: readonly ChannelType[] = [
  desktop,
];

export function findChannelType(type: string): ChannelType | undefined {
  return channelTypes.find((channelType) => channelType.type === type);
}
