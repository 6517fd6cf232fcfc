// anotifier: one JSON file with its channels, and per event which of them it uses.
import { join } from "node:path";
import { docsUrl } from "../../model/errors.ts";
import type { SettingsReader, Settings } from "./settings-reader.ts";
import {
  ntfyChannel,
  overHttp,
  telegramChannel,
  typesOf,
  type Alert,
  type ImportedChannel,
  type ImportedRule,
  type ImportedSettings,
  type Peer,
  type PeerHook,
  type PeerPlace,
} from "./peer.ts";

/** Its channels, and the switch of each in the settings of an event. */
const eventSwitches: Record<string, string> = {
  desktop: "toastEnabled",
  phone: "ntfyEnabled",
  bell: "terminalBellEnabled",
  webhook: "webhookEnabled",
};

/** Kinds of Notification of which it says nothing. */
const silentTypes = ["auth_success", "elicitation_response", "elicitation_complete"];

/** `looks` are the usual values of what hookbell's level decides. */
const eventRules = [
  {
    key: "task_complete",
    name: "done",
    // Some agents report a failed turn by the same hook.
    when: { event: ["Stop", "StopFailure"] },
    usual: true,
    looks: { toastSound: "IM", priority: "default", ntfyTags: "white_check_mark" },
  },
  {
    key: "needs_input",
    name: "needs me",
    when: { event: ["Notification", "PermissionRequest"], notificationType: { not: silentTypes } },
    usual: true,
    looks: { toastSound: "Reminder", priority: "urgent", ntfyTags: "bell,warning" },
  },
  {
    key: "session_start",
    name: "session started",
    when: { event: "SessionStart" },
    usual: false,
    looks: { toastSound: "Default", priority: "low", ntfyTags: "rocket" },
  },
] as const;

function read(place: PeerPlace, account: SettingsReader): ImportedSettings {
  const given = account.json(settingsFile(place));
  const channels = channelsOf(given, account);
  const names = channels.map(({ name }) => name);
  const events = given.object("events");
  const rules = eventRules.map(({ key, name, when, usual, looks }): ImportedRule => {
    const settings = events.object(key);
    for (const look of ["toastSound", "priority", "ntfyTags", "idleReminderPriority", "sound", "ntfyPriority"])
      settings.leave(look, "hookbell's level decides", Object.entries(looks).find(([each]) => each === look)?.[1]);
    // Each is read, also that of a channel that is off.
    const isOn = Object.fromEntries(Object.values(eventSwitches).map((each) => [each, settings.isOn(each, usual)]));
    return { name, when, notify: names.filter((channel) => isOn[eventSwitches[channel] ?? ""] === true) };
  });
  const shown = names.filter((name) => name !== "bell");
  const warnings = warningsOf(given, shown);
  leaveOthers(given, account, place);
  return {
    channels,
    rules: [...rules, ...warnings],
    whole: quietHoursOf(given.object("quietHours"), account),
    alertsOf: (hook) => alertsOf(hook, rules),
  };
}

function settingsFile({ home }: PeerPlace): string {
  return join(home, ".anotifier", "config.json");
}

function channelsOf(given: Settings, account: SettingsReader): ImportedChannel[] {
  const [ntfy, toast, bell] = [given.object("ntfy"), given.object("toast"), given.object("terminalBell")];
  const channels: ImportedChannel[] = [];
  if (toast.isOn("enabled", true)) {
    const click = toast.isOn("clickToFocus", true) ? {} : { click: "none" };
    const content = toast.isOn("richContent", true) ? {} : { content: "none" };
    channels.push({ name: "desktop", settings: { type: "desktop", ...click, ...content } });
  } else leaveAll(toast, { clickToFocus: true, richContent: true });
  ntfy.leave("click", "hookbell links to the session", "");
  ntfy.leave("icon", "hookbell has its own");
  if (ntfy.isOn("enabled", true)) {
    const [topic, server] = [ntfy.text("topic"), ntfy.text("server")];
    const content = ntfy.isOn("richContent", false) ? "summary" : "none";
    if (topic !== undefined) channels.push({ name: "phone", settings: ntfyChannel(topic, server, content) });
    else if (server !== undefined && server !== usualServer)
      account.say({ places: ["ntfy.server"], reason: "there is no topic" });
  } else leaveAll(ntfy, { topic: "", server: usualServer, richContent: false });
  if (bell.isOn("enabled", true)) channels.push({ name: "bell", settings: { type: "terminal", style: "bel" } });
  const webhook = webhookOf(given.object("webhook"), account);
  return webhook === undefined ? channels : [...channels, { name: "webhook", settings: webhook }];
}

const usualServer = "https://ntfy.sh";

function leaveAll(settings: Settings, usual: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(usual)) settings.leave(key, "it is switched off", value);
}

function webhookOf(given: Settings, account: SettingsReader): ImportedChannel["settings"] | undefined {
  if (!given.isOn("enabled", false)) {
    leaveAll(given, { url: "", format: "generic", chatId: undefined, authorization: undefined, richContent: true });
    return undefined;
  }
  const url = given.text("url");
  const format = given.choice("format", ["generic", "slack", "discord", "telegram"]) ?? "generic";
  const content = given.isOn("richContent", true) ? {} : { content: "none" };
  const chat = format === "telegram" ? given.text("chatId") : given.leave("chatId", "only Telegram has chats");
  const access =
    format === "generic"
      ? given.text("authorization")
      : given.leave("authorization", `hookbell sends none to ${format}`);
  if (url === undefined) {
    account.say({ places: ["webhook"], reason: "it has no url" });
    return undefined;
  }
  if (format === "slack" || format === "discord") return { type: format, url, ...content };
  if (format === "telegram") {
    const [, token] = /^https:\/\/api\.telegram\.org\/bot([^/]+)\/sendMessage$/.exec(url) ?? [];
    if (token !== undefined && chat !== undefined) return { ...telegramChannel(token, chat), ...content };
    const reason =
      "its url is not that of a bot's sendMessage, or its chatId is missing; hookbell channels add telegram";
    account.say({ places: ["webhook"], reason, keepsHooks: true });
    return undefined;
  }
  account.say({
    places: ["webhook"],
    reason: `hookbell sends its own JSON instead of this body (${docsUrl("reference/WEBHOOK.md")})`,
  });
  const headers = access === undefined ? {} : { headers: { Authorization: access } };
  return { type: "webhook", url, ...overHttp(url), ...headers, ...content };
}

function warningsOf(given: Settings, notify: string[]): ImportedRule[] {
  const [usage, context] = [given.object("usageAlerts"), given.object("contextAlerts")];
  const plugIn = "hookbell has thresholds of its own, and needs its plug-in of Claude Code for them";
  usage.leave("thresholds", plugIn);
  context.leave("threshold", plugIn);
  return [
    ...(usage.isOn("enabled", true)
      ? [{ name: "limits", when: { event: ["LimitHigh", "LimitReached", "LimitReset"] }, notify }]
      : []),
    ...(context.isOn("enabled", true) ? [{ name: "context nearly full", when: { event: "ContextHigh" }, notify }] : []),
  ];
}

/** Equal or broken times switch the whole setting off, as anotifier has it. */
function quietHoursOf(given: Settings, account: SettingsReader): Record<string, unknown> {
  const isOn = given.isOn("enabled", false);
  if (!isOn) {
    leaveAll(given, { from: "22:00", to: "08:00" });
    return {};
  }
  const [from, to] = [given.text("from"), given.text("to")];
  const isTime = (value: string | undefined): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value ?? "");
  if (!isTime(from) || !isTime(to) || from === to) {
    account.say({ places: ["quietHours"], reason: "the times are equal or not times, so anotifier has none" });
    return {};
  }
  account.say({
    places: ["quietHours"],
    reason: "what anotifier drops in them comes as one message when they end, except to the webhook of a program",
  });
  return { quietHours: { ranges: [{ from, to }] } };
}

function leaveOthers(given: Settings, account: SettingsReader, place: PeerPlace): void {
  given.leave("sentry", "hookbell sends its errors to no one", { enabled: false, dsn: "" });
  given.leave("updateCheck", "hookbell announces no versions", { enabled: true });
  given.leave("telemetry", "hookbell counts nothing for anyone", { enabled: false, asked: true });
  given.leave("sources", "hookbell has names and icons of its own");
  const folder = account.folder(join(settingsFile(place), ".."));
  folder.leave(/^approval\.json$/, 'answers from your phone: "answers" in the rules file does the same');
  folder.leave(/^\.snooze\.json$/, "it is or was snoozed; hookbell will not be: `hookbell mute 1h`");
  folder.ignore(/^(?:\..*|config\.json|errors\.log|approvals)$/);
  account.environment(place.env, /^ANOTIFIER_/);
  account.say({
    reason:
      "usage and context warnings come from its line of Claude Code's `statusLine`, which stays: `anotifier uninstall` gives yours back",
  });
}

function alertsOf(hook: PeerHook, rules: readonly ImportedRule[]): Alert[] | string {
  if (hook.program.endsWith("/approve.mjs"))
    return 'it answers questions from your phone; "answers" in the rules file does the same';
  const [done = [], needsInput = [], started = []] = rules.map(({ notify }) => notify);
  return hook.means.flatMap((event): Alert[] => {
    if (event === "Stop" || event === "StopFailure") return [{ event, notify: done }];
    if (event === "PermissionRequest") return [{ event, notify: needsInput }];
    if (event === "SessionStart") return [{ event, notify: started }];
    if (event !== "Notification") return [{ event, notify: needsInput }];
    return typesOf(hook)
      .filter((type) => !silentTypes.includes(type))
      .map((notificationType) => ({ event, notificationType, notify: needsInput }));
  });
}

export const anotifier: Peer = {
  id: "anotifier",
  name: "anotifier",
  docs: "https://github.com/DevinoSolutions/anotifier-for-claude-codex-cursor#configuration",
  places: (place) => [settingsFile(place)],
  read,
  program: /(?:^|\/)(?:[^/]*anotifier[^/]*|[^/]*agent-notify[^/]*)\/(?:.*\/)?(?:notify|approve)\.mjs$/,
  args: /^(?:--(?:source|event) [\w.-]+(?: |$))*$/,
};
