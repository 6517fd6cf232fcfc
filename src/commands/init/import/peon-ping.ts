// peon-ping: one JSON file; sounds, desktop and phone are switched one by one, and events by category.
import { join } from "node:path";
import { objectOf } from "../../../model/json.ts";
import {
  isOn,
  ntfyChannel,
  readSettingsObject,
  textOf,
  type ImportedChannel,
  type ImportedRule,
  type Peer,
} from "./peer.ts";

/** Its categories, with the events that it puts into each, and whether it shows a notification for them. */
const categories: { name: string; rule: string; when: Record<string, unknown>; isShown: boolean; usual: boolean }[] = [
  { name: "session.start", rule: "session started", when: { event: "SessionStart" }, isShown: false, usual: true },
  { name: "task.acknowledge", rule: "prompt", when: { event: "UserPromptSubmit" }, isShown: false, usual: false },
  { name: "task.complete", rule: "done", when: { event: ["Stop", "SubagentStop"] }, isShown: true, usual: true },
  { name: "task.error", rule: "broke off", when: { event: "StopFailure" }, isShown: true, usual: true },
  {
    name: "input.required",
    rule: "needs me",
    when: { event: ["Notification", "PermissionRequest"], level: "attention" },
    isShown: true,
    usual: true,
  },
  { name: "resource.limit", rule: "compacts", when: { event: "PreCompact" }, isShown: true, usual: true },
];

/** Settings whose value is not the usual one, and what becomes of them. */
const others: { key: string; usual: unknown; becomes: string }[] = [
  { key: "path_rules", usual: [], becomes: "a rule with `cwd` and a `sound` channel of its own does the same" },
  { key: "ide_rules", usual: [], becomes: "a rule with `agent` and a `sound` channel of its own does the same" },
  { key: "headphones_only", usual: false, becomes: "hookbell does not ask which loudspeaker is used" },
  { key: "meeting_detect", usual: false, becomes: "hookbell does not look at the microphone; `hookbell mute 1h` does" },
  { key: "focus_detect", usual: false, becomes: "the desktop's own do-not-disturb holds notifications; sounds go on" },
  { key: "notification_templates", usual: {}, becomes: "`title` and `body` of a rule are templates" },
  { key: "notification_title_script", usual: "", becomes: "hookbell runs no program for a title" },
  { key: "project_name_map", usual: {}, becomes: "`label` in a repository's .hookbell.jsonc names it" },
];

function read({ home, env }: { home: string; env: Record<string, string | undefined> }) {
  const path = settingsFile(home, env);
  const given = readSettingsObject(path);
  const phone = phoneChannel(objectOf(given.mobile_notify));
  const isLoud = isOn(given.enabled, true);
  const channels: ImportedChannel[] = [
    ...(isLoud ? [{ name: "sound", settings: { type: "sound", volume: volumeOf(given.volume) } }] : []),
    ...(isOn(given.desktop_notifications, true) ? [{ name: "desktop", settings: { type: "desktop" } }] : []),
    ...(phone === undefined ? [] : [{ name: "phone", settings: phone }]),
  ];
  const names = channels.map(({ name }) => name);
  const switches = objectOf(given.categories);
  const shortMs = Number(given.silent_window_seconds ?? 0);
  const rules = categories.flatMap(({ name, rule, when, isShown, usual }): ImportedRule[] => {
    // peon-ping's categories are about sounds: what it shows, it shows without them.
    const isHeard = isLoud && isOn(switches[name], usual);
    const notify = names.filter((channel) => (channel === "sound" ? isHeard : isShown));
    const isDone = name === "task.complete";
    const event = isDone && isOn(given.suppress_subagent_complete, false) ? { event: "Stop" } : when;
    return [{ name: rule, when: event, notify, ...(isDone && shortMs > 0 ? { longerThan: `${shortMs}s` } : {}) }];
  });
  const excluded = Array.isArray(given.exclude_dirs) ? given.exclude_dirs.flatMap((each) => textOf(each) ?? []) : [];
  const silent: ImportedRule[] =
    excluded.length === 0
      ? []
      : [
          {
            name: "excluded folders",
            when: { cwd: excluded.flatMap((folder) => foldersOf(folder, home)) },
            notify: [],
            final: true,
          },
        ];
  return {
    files: [path],
    channels,
    rules: [...silent, ...rules],
    whole: {},
    notCarriedOver: notCarriedOver(given, phone === undefined ? objectOf(given.mobile_notify) : {}),
  };
}

function settingsFile(home: string, env: Record<string, string | undefined>): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "hooks", "peon-ping", "config.json");
}

function volumeOf(value: unknown): number {
  const volume = Number(value ?? 0.5);
  return volume >= 0 && volume <= 1 ? volume : 0.5;
}

/** A folder without a pattern stands for what is below it as well. */
function foldersOf(folder: string, home: string): string[] {
  const path = folder.replace(/^~(?=\/|$)/, home).replace(/\/$/, "");
  return /[*?]/.test(path) ? [path] : [path, `${path}/*`];
}

function phoneChannel(given: Record<string, unknown>): ImportedChannel["settings"] | undefined {
  const { service } = given;
  if (service === undefined || !isOn(given.enabled, true)) return undefined;
  const [topic, user, token] = [textOf(given.topic), textOf(given.user_key), textOf(given.app_token)];
  const [bot, chat] = [textOf(given.bot_token), textOf(given.chat_id)];
  if (service === "ntfy" && topic !== undefined) {
    const access = textOf(given.token);
    return {
      ...ntfyChannel(topic, textOf(given.server), "summary"),
      ...(access === undefined ? {} : { token: access }),
    };
  }
  if (service === "pushover" && user !== undefined && token !== undefined) return { type: "pushover", user, token };
  if (service === "telegram" && bot !== undefined && chat !== undefined) {
    return { type: "telegram", token: bot, chat: /^-?\d+$/.test(chat) ? Number(chat) : chat };
  }
  return undefined;
}

function notCarriedOver(given: Record<string, unknown>, unknownPhone: Record<string, unknown>): string[] {
  const isSet = (key: string, usual: unknown): boolean =>
    given[key] !== undefined && JSON.stringify(given[key]) !== JSON.stringify(usual);
  return [
    "sound packs: hookbell has one sound for each level; `sound` of a channel plays a file of yours",
    "`task.error` reports each failed shell command; the rule notifies you of failed turns only",
    "easter eggs (`user.spam`), the trainer, the terminal's tab title and the overlay: hookbell has none",
    ...(isOn(objectOf(given.tts).enabled, false) ? ["speech: hookbell channels add speech"] : []),
    ...(objectOf(given.mobile_notify).priority === undefined ? [] : ["`mobile_notify.priority`: the level decides"]),
    ...(unknownPhone.service === undefined || !isOn(unknownPhone.enabled, true)
      ? []
      : ["`mobile_notify`: its service or a setting is unknown here; hookbell channels add"]),
    ...others.flatMap(({ key, usual, becomes }) => (isSet(key, usual) ? [`\`${key}\`: ${becomes}`] : [])),
  ];
}

export const peonPing: Peer = {
  id: "peon-ping",
  name: "peon-ping",
  docs: "https://github.com/PeonPing/peon-ping#configuration",
  places: ({ home, env }) => [settingsFile(home, env)],
  read,
  program: /(?:^|\/)peon-ping\/(?:.*\/)?[\w-]+\.(?:sh|ps1|py)$/,
};
