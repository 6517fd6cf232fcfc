import { bark } from "./bark.ts";
import { command } from "./command.ts";
import type { ChannelType } from "./define-channel.ts";
import { desktop } from "./desktop.ts";
import { dingtalk } from "./dingtalk.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { feishu } from "./feishu.ts";
import { googleChat } from "./google-chat.ts";
import { gotify } from "./gotify.ts";
import { homeAssistant } from "./home-assistant.ts";
import { matrix } from "./matrix.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { pagerduty } from "./pagerduty.ts";
import { pushover } from "./pushover.ts";
import { slack } from "./slack.ts";
import { sound } from "./sound.ts";
import { speech } from "./speech.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { terminal } from "./terminal.ts";
import { webhook } from "./webhook.ts";
import { wecom } from "./wecom.ts";

/** Every channel type there is, in the order of README's table. One line each. */
export const channelTypes: readonly ChannelType[] = [
  desktop,
  sound,
  speech,
  terminal,
  slack,
  discord,
  telegram,
  teams,
  googleChat,
  mattermost,
  matrix,
  feishu,
  dingtalk,
  wecom,
  ntfy,
  pushover,
  gotify,
  pagerduty,
  homeAssistant,
  bark,
  email,
  webhook,
  command,
];

export function findChannelType(type: string): ChannelType | undefined {
  return channelTypes.find((channelType) => channelType.type === type);
}
