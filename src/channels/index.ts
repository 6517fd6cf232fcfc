import { command } from "./command.ts";
import type { ChannelType } from "./define-channel.ts";
import { desktop } from "./desktop.ts";
import { email } from "./email.ts";
import { slack } from "./slack.ts";
import { sound } from "./sound.ts";
import { webhook } from "./webhook.ts";

/** Every channel type there is, in the order of README's table. One line each. */
export const channelTypes: readonly ChannelType[] = [desktop, sound, slack, email, webhook, command];

export function findChannelType(type: string): ChannelType | undefined {
  return channelTypes.find((channelType) => channelType.type === type);
}
