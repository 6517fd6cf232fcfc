// anotifier: one JSON file with its channels, and per event which of them it uses.
import { docsUrl } from "../../../model/errors.ts";
import { join } from "node:path";
import { objectOf } from "../../../model/json.ts";
import {
  isOn,
  ntfyChannel,
  overHttp,
  readSettingsObject,
  textOf,
  type ImportedChannel,
  type ImportedRule,
  type ImportedSettings,
  type Peer,
  type PeerPlace,
} from "./peer.ts";

/** Its channels, and the switch of each in the settings of an event. */
const eventSwitches: Record<string, string> = {
  desktop: "toastEnabled",
  phone: "ntfyEnabled",
  bell: "terminalBellEnabled",
  webhook: "webhookEnabled",
};

const eventRules = [
  { key: "task_complete", name: "done", when: { event: "Stop" }, usual: true },
  {
    key: "needs_input",
    name: "needs me",
    when: { event: ["Notification", "PermissionRequest"], level: "attention" },
    usual: true,
  },
  { key: "session_start", name: "session started", when: { event: "SessionStart" }, usual: false },
];

function read(place: PeerPlace): ImportedSettings {
  const path = settingsFile(place);
  const given = readSettingsObject(path);
  const channels = channelsOf(given);
  const names = channels.map(({ name }) => name);
  const events = objectOf(given.events);
  const rules = eventRules.map(({ key, name, when, usual }): ImportedRule => {
    const settings = objectOf(events[key]);
    return { name, when, notify: names.filter((channel) => isOn(settings[eventSwitches[channel] ?? ""], usual)) };
  });
  const shown = names.filter((name) => name !== "bell");
  const [usage, context] = [objectOf(given.usageAlerts), objectOf(given.contextAlerts)];
  const hasUsage = isOn(usage.enabled, true);
  const hasContext = isOn(context.enabled, true);
  return {
    files: [path],
    channels,
    rules: [
      ...rules,
      ...(hasUsage
        ? [{ name: "limits", when: { event: ["LimitHigh", "LimitReached", "LimitReset"] }, notify: shown }]
        : []),
      ...(hasContext ? [{ name: "context nearly full", when: { event: "ContextHigh" }, notify: shown }] : []),
    ],
    whole: quietHoursOf(objectOf(given.quietHours)),
    notCarriedOver: notCarriedOver(given, hasUsage || hasContext),
  };
}

function settingsFile({ home }: PeerPlace): string {
  return join(home, ".anotifier", "config.json");
}

function channelsOf(given: Record<string, unknown>): ImportedChannel[] {
  const [ntfy, toast, bell, webhook] = ["ntfy", "toast", "terminalBell", "webhook"].map((key) => objectOf(given[key]));
  const channels: ImportedChannel[] = [];
  if (isOn(toast?.enabled, true)) {
    const click = isOn(toast?.clickToFocus, true) ? {} : { click: "none" };
    const content = isOn(toast?.richContent, true) ? {} : { content: "none" };
    channels.push({ name: "desktop", settings: { type: "desktop", ...click, ...content } });
  }
  const topic = textOf(ntfy?.topic);
  if (isOn(ntfy?.enabled, true) && topic !== undefined) {
    const content = isOn(ntfy?.richContent, false) ? "summary" : "none";
    channels.push({ name: "phone", settings: ntfyChannel(topic, textOf(ntfy?.server), content) });
  }
  if (isOn(bell?.enabled, true)) channels.push({ name: "bell", settings: { type: "terminal", style: "bel" } });
  const url = textOf(webhook?.url);
  if (isOn(webhook?.enabled, false) && url !== undefined) {
    const content = isOn(webhook?.richContent, true) ? {} : { content: "none" };
    channels.push({ name: "webhook", settings: { ...webhookSettings(objectOf(webhook), url), ...content } });
  }
  return channels;
}

function webhookSettings(given: Record<string, unknown>, url: string): ImportedChannel["settings"] {
  const { format } = given;
  if (format === "slack" || format === "discord") return { type: format, url };
  const chat = textOf(given.chatId);
  const [, token] = /^https:\/\/api\.telegram\.org\/bot([^/]+)\/sendMessage$/.exec(url) ?? [];
  if (format === "telegram" && token !== undefined && chat !== undefined) {
    return { type: "telegram", token, chat: /^-?\d+$/.test(chat) ? Number(chat) : chat };
  }
  const access = textOf(given.authorization);
  const headers = access === undefined ? {} : { headers: { Authorization: access } };
  return { type: "webhook", url, ...overHttp(url), ...headers };
}

/** Equal or broken times switch the whole setting off, as anotifier has it. */
function quietHoursOf({ enabled, from, to }: Record<string, unknown>): Record<string, unknown> {
  const isTime = (value: unknown): value is string => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(String(value));
  if (!isOn(enabled, false) || !isTime(from) || !isTime(to) || from === to) return {};
  return { quietHours: { ranges: [{ from, to }] } };
}

function notCarriedOver(given: Record<string, unknown>, hasWarnings: boolean): string[] {
  const webhook = objectOf(given.webhook);
  const isGeneric = isOn(webhook.enabled, false) && !["slack", "discord", "telegram"].includes(String(webhook.format));
  return [
    "`priority`, `toastSound` and `ntfyTags` of an event: hookbell's level decides",
    ...(textOf(objectOf(given.ntfy).click) === undefined ? [] : ["`ntfy.click`: hookbell links to the session"]),
    ...(isGeneric ? [`the generic webhook's body: hookbell sends its own JSON (${docsUrl("WEBHOOK.md")})`] : []),
    ...(isOn(objectOf(given.quietHours).enabled, false)
      ? ["what anotifier drops in quiet hours comes as one message when they end, except to the webhook of a program"]
      : []),
    ...(hasWarnings
      ? [
          "`usageAlerts` and `contextAlerts`: hookbell has thresholds of its own, and needs its plug-in of Claude Code for them",
        ]
      : []),
    ...(isOn(objectOf(given.sentry).enabled, false) ? ["`sentry`: hookbell sends its errors to no one"] : []),
    "the line of Claude Code's `statusLine`: `anotifier uninstall` gives yours back",
  ];
}

export const anotifier: Peer = {
  id: "anotifier",
  name: "anotifier",
  docs: "https://github.com/DevinoSolutions/anotifier-for-claude-codex-cursor#configuration",
  places: (place) => [settingsFile(place)],
  read,
  program: /(?:^|\/)(?:[^/]*anotifier[^/]*|[^/]*agent-notify[^/]*)\/(?:.*\/)?(?:notify|approve)\.mjs$/,
};
