import { bark } from "./phone/bark/bark.ts";
import { command } from "./automation/command/command.ts";
import type { ChannelType } from "./channel-type.ts";
import { desktop } from "./local/desktop/desktop.ts";
import { dingtalk } from "./chat/dingtalk/dingtalk.ts";
import { discord } from "./chat/discord/discord.ts";
import { email } from "./email/email.ts";
import { feishu } from "./chat/feishu/feishu.ts";
import { googleChat } from "./chat/google-chat/google-chat.ts";
import { gotify } from "./phone/gotify/gotify.ts";
import { homeAssistant } from "./automation/home-assistant/home-assistant.ts";
import { matrix } from "./chat/matrix/matrix.ts";
import { mattermost } from "./chat/mattermost/mattermost.ts";
import { ntfy } from "./phone/ntfy/ntfy.ts";
import { pagerduty } from "./automation/pagerduty/pagerduty.ts";
import { pushover } from "./phone/pushover/pushover.ts";
import { slack } from "./chat/slack/slack.ts";
import { sound } from "./local/sound/sound.ts";
import { speech } from "./local/speech/speech.ts";
import { teams } from "./chat/teams/teams.ts";
import { telegram } from "./chat/telegram/telegram.ts";
import { terminal } from "./local/terminal/terminal.ts";
import { webhook } from "./automation/webhook/webhook.ts";
import { wecom } from "./chat/wecom/wecom.ts";

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
