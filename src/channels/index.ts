// The registry of channel types: one entry each. A type's code loads only when it is needed.
import type { ChannelDefinition, ChannelType } from "./channel-type.ts";

interface Entry {
  summary: string;
  load(): Promise<ChannelDefinition>;
}

/** People read the types in this order. */
const registry: Readonly<Record<string, Entry>> = {
  desktop: {
    summary: "A notification on this computer's screen",
    load: async () => (await import("./local/desktop/desktop.ts")).desktop,
  },
  sound: {
    summary: "A sound on this computer's speakers",
    load: async () => (await import("./local/sound/sound.ts")).sound,
  },
  speech: {
    summary: "A voice on this computer's speakers that reads the message out",
    load: async () => (await import("./local/speech/speech.ts")).speech,
  },
  terminal: {
    summary: "A notification by the terminal that the agent runs in, also over SSH",
    load: async () => (await import("./local/terminal/terminal.ts")).terminal,
  },
  slack: {
    summary: "A Slack channel, through an incoming webhook or a bot",
    load: async () => (await import("./chat/slack/slack.ts")).slack,
  },
  discord: {
    summary: "A Discord channel or thread, through a webhook or a bot",
    load: async () => (await import("./chat/discord/discord.ts")).discord,
  },
  telegram: {
    summary: "A Telegram chat, group topic or channel, through a bot",
    load: async () => (await import("./chat/telegram/telegram.ts")).telegram,
  },
  teams: {
    summary: "A Microsoft Teams channel or chat, through a workflow",
    load: async () => (await import("./chat/teams/teams.ts")).teams,
  },
  "google-chat": {
    summary: "A Google Chat space, through a webhook, one thread per session",
    load: async () => (await import("./chat/google-chat/google-chat.ts")).googleChat,
  },
  mattermost: {
    summary: "A Mattermost channel, through an incoming webhook",
    load: async () => (await import("./chat/mattermost/mattermost.ts")).mattermost,
  },
  matrix: {
    summary: "A Matrix room without encryption, through an account's access token",
    load: async () => (await import("./chat/matrix/matrix.ts")).matrix,
  },
  feishu: {
    summary: "A Feishu or Lark group, through a custom bot",
    load: async () => (await import("./chat/feishu/feishu.ts")).feishu,
  },
  dingtalk: {
    summary: "A DingTalk group, through a custom bot",
    load: async () => (await import("./chat/dingtalk/dingtalk.ts")).dingtalk,
  },
  wecom: {
    summary: "A WeCom (Enterprise WeChat) group, through a group bot",
    load: async () => (await import("./chat/wecom/wecom.ts")).wecom,
  },
  ntfy: {
    summary: "A phone through ntfy, at ntfy.sh or on a server of your own",
    load: async () => (await import("./phone/ntfy/ntfy.ts")).ntfy,
  },
  pushover: {
    summary: "A phone through Pushover",
    load: async () => (await import("./phone/pushover/pushover.ts")).pushover,
  },
  gotify: {
    summary: "A phone through your own Gotify server",
    load: async () => (await import("./phone/gotify/gotify.ts")).gotify,
  },
  pagerduty: {
    summary: "A PagerDuty incident, resolved when the session moves on",
    load: async () => (await import("./automation/pagerduty/pagerduty.ts")).pagerduty,
  },
  "home-assistant": {
    summary: "A Home Assistant automation, through its webhook trigger",
    load: async () => (await import("./automation/home-assistant/home-assistant.ts")).homeAssistant,
  },
  "home-assistant-app": {
    summary: "A phone with the Home Assistant app, through your own server",
    load: async () => (await import("./phone/home-assistant-app/home-assistant-app.ts")).homeAssistantApp,
  },
  bark: {
    summary: "An iPhone or iPad through Bark",
    load: async () => (await import("./phone/bark/bark.ts")).bark,
  },
  webpush: {
    summary: "A browser on a phone or a computer, which needs no account and no app",
    load: async () => (await import("./phone/webpush/webpush.ts")).webpush,
  },
  email: {
    summary: "E-mail through your own SMTP server, one conversation per session",
    load: async () => (await import("./email/email.ts")).email,
  },
  webhook: {
    summary: "Any HTTP receiver: signed JSON (Standard Webhooks) or CloudEvents",
    load: async () => (await import("./automation/webhook/webhook.ts")).webhook,
  },
  command: {
    summary: "A program of your own: JSON on its standard input, HOOKBELL_* variables",
    load: async () => (await import("./automation/command/command.ts")).command,
  },
};

export const channelTypeNames: readonly string[] = Object.keys(registry);

/** Throws for a name that is not registered. */
export async function loadChannelType(type: string): Promise<ChannelType> {
  const entry = Object.hasOwn(registry, type) ? registry[type] : undefined;
  if (entry === undefined) throw new Error(`there is no channel type ${JSON.stringify(type)}`);
  return { type, summary: entry.summary, ...(await entry.load()) };
}

export function loadChannelTypes(types: readonly string[] = channelTypeNames): Promise<ChannelType[]> {
  return Promise.all(types.map(loadChannelType));
}
