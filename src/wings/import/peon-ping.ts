// peon-ping: one JSON file; sounds, desktop and phone are switched one by one, and events by category.
import { join } from "node:path";
import type { Environment } from "../../system/environment.ts";
import { tryToStat } from "../../system/files/files.ts";
import type { SettingsReader, Settings } from "./settings-reader.ts";
import {
  ntfyChannel,
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

/** Its categories, with the events that it puts into each, and whether it shows a notification for them. */
const categories = [
  { name: "session.start", rule: "session started", when: { event: "SessionStart" }, isShown: false, usual: true },
  { name: "task.acknowledge", rule: "prompt", when: { event: "UserPromptSubmit" }, isShown: false, usual: false },
  { name: "task.complete", rule: "done", when: { event: ["Stop", "SubagentStop"] }, isShown: true, usual: true },
  { name: "task.error", rule: "failed", when: { event: "StopFailure" }, isShown: true, usual: true },
  {
    name: "input.required",
    rule: "needs me",
    when: { event: ["Notification", "PermissionRequest"], level: "attention" },
    isShown: true,
    usual: true,
  },
  { name: "resource.limit", rule: "compacts", when: { event: "PreCompact" }, isShown: true, usual: true },
] as const;

type Category = (typeof categories)[number]["name"];

/** Settings that hookbell has no other form of: what becomes of them, and the value with which they do nothing. */
const others: { becomes: string; keys: Record<string, unknown> }[] = [
  {
    becomes: "hookbell has no sound packs",
    keys: {
      default_pack: "peon",
      active_pack: "peon",
      pack_rotation: [],
      pack_rotation_mode: "random",
      session_ttl_days: 7,
      disabled_sounds: {},
    },
  },
  { becomes: "a rule with `cwd` and a `sound` channel of its own does the same", keys: { path_rules: [] } },
  { becomes: "a rule with `agent` and a `sound` channel of its own does the same", keys: { ide_rules: [] } },
  {
    becomes: "hookbell has no easter eggs",
    keys: {
      annoyed_threshold: 3,
      annoyed_window_seconds: 10,
      spam_threshold: 3,
      spam_window_seconds: 10,
      trainer: {
        enabled: false,
        exercises: { pushups: 300, squats: 300 },
        reminder_interval_minutes: 20,
        reminder_min_gap_minutes: 5,
      },
    },
  },
  { becomes: "hookbell notifies of each session that starts", keys: { session_start_cooldown_seconds: 30 } },
  { becomes: '"idle" in the rules file has no time limit', keys: { idle_prompt_suppress_window_seconds: 3600 } },
  { becomes: "hookbell does not tell delegated sessions from others", keys: { suppress_delegate_sessions: false } },
  {
    becomes: "hookbell plays with the first program that works, where its dispatcher runs",
    keys: { use_sound_effects_device: true, linux_audio_player: "", ssh_audio_mode: "relay", no_rc: false },
  },
  { becomes: "`hookbell log` shows what happened", keys: { debug: false, debug_retention_days: 7 } },
  { becomes: "hookbell does not ask which loudspeaker is used", keys: { headphones_only: false } },
  { becomes: "hookbell does not look at the microphone; `hookbell mute 1h` does", keys: { meeting_detect: false } },
  {
    becomes: "the desktop's own do-not-disturb holds notifications; sounds go on",
    keys: { focus_detect: false, focus_detect_mode: "all" },
  },
  {
    becomes: "hookbell leaves the terminal's tab alone",
    keys: { terminal_tab_title: true, tmux_passthrough: false, tab_color: {}, notification_title_marker: "●" },
  },
  {
    becomes: "hookbell knows whether you are at the terminal, not at which tab: `when` of a rule",
    keys: { suppress_sound_when_tab_focused: false },
  },
  {
    becomes: "the desktop decides how a notification looks, where it stands and how long",
    keys: {
      notification_style: "overlay",
      overlay_theme: "",
      notification_position: "top-center",
      notification_dismiss_seconds: 4,
      notification_all_screens: true,
      notification_close_button: true,
      notification_stacking: true,
    },
  },
  {
    becomes: "`title` and `body` of a rule are templates",
    keys: { notification_templates: {}, notification_title_override: "", notification_title_ide: false },
  },
  { becomes: "hookbell runs no program for a title", keys: { notification_title_script: "" } },
  { becomes: "`label` in a repository's .hookbell.jsonc names it", keys: { project_name_map: {} } },
];

/** Its other adapters have settings of their own. */
const otherSettings = [".config/opencode/peon-ping", ".config/kilo/peon-ping", ".kimi/hooks/peon-ping"];

function read(place: PeerPlace, account: SettingsReader): ImportedSettings {
  const { home, env } = place;
  const given = account.json(settingsFile(home, env));
  const isLoud = given.isOn("enabled", true);
  const isShown = given.isOn("desktop_notifications", true);
  const volume = given.number("volume", 0.5, { min: 0, max: 1 });
  const phone = phoneChannel(given.object("mobile_notify"), account);
  const voice = voiceChannel(given.object("tts"));
  const channels: ImportedChannel[] = [
    ...(isLoud ? [{ name: "sound", settings: { type: "sound", volume } }] : []),
    ...(isLoud && voice !== undefined ? [{ name: "voice", settings: voice }] : []),
    ...(isShown ? [{ name: "desktop", settings: { type: "desktop" } }] : []),
    ...(phone === undefined ? [] : [{ name: "phone", settings: phone }]),
  ];
  const switches = given.object("categories");
  const isHeard = Object.fromEntries(categories.map(({ name, usual }) => [name, switches.isOn(name, usual)]));
  // peon-ping's categories are about sounds: what it shows, it shows without them.
  const waysOf = (category: Category, isShownToo: boolean): string[] =>
    channels.flatMap(({ name }) => ((isAudible(name) ? isHeard[category] : isShownToo) ? [name] : []));
  const areSubagentsSilent = given.isOn("suppress_subagent_complete", false);
  const isReminding = !given.isOn("suppress_idle_prompt_repeats", true);
  const shortSeconds = given.number("silent_window_seconds", 0, { min: 0, max: 86_400 });
  const rules = categories.map(({ name, rule, when, isShown: isShownToo }): ImportedRule => {
    const isDone = name === "task.complete";
    const longer = isDone && shortSeconds > 0 ? { longerThan: `${shortSeconds}s` } : {};
    const told = isDone && areSubagentsSilent ? { event: "Stop" } : when;
    return { name: rule, when: told, notify: waysOf(name, isShownToo), ...longer };
  });
  const done = waysOf("task.complete", true);
  const reminder = { name: "waits", when: { event: "Notification", notificationType: "idle_prompt" }, notify: done };
  const excluded = given.texts("exclude_dirs").flatMap((folder) => foldersOf(folder, home));
  const silent = { name: "excluded folders", when: { cwd: excluded }, notify: [], final: true };
  leaveOthers(given, account, place);
  if (switches.isOn("user.spam", true))
    account.say({ reason: "its easter egg (`user.spam`), and the terminal's tab title: hookbell has none" });
  if (areSubagentsSilent)
    account.say({
      places: ["suppress_subagent_complete"],
      reason: "hookbell leaves out the end of a subagent, but neither its questions nor its failures",
    });
  return {
    channels,
    rules: [...(excluded.length > 0 ? [silent] : []), ...rules, ...(isReminding ? [reminder] : [])],
    whole: isReminding ? { idle: "remind" } : {},
    alertsOf: (hook) => alertsOf(hook, { waysOf, areSubagentsSilent, isReminding }),
  };
}

function isAudible(channel: string): boolean {
  return channel === "sound" || channel === "voice";
}

function folderOf(home: string, env: Environment): string {
  return env.CLAUDE_PEON_DIR || join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "hooks", "peon-ping");
}

function settingsFile(home: string, env: Environment): string {
  return join(folderOf(home, env), "config.json");
}

function leaveOthers(given: Settings, account: SettingsReader, { home, env }: PeerPlace): void {
  for (const { becomes, keys } of others)
    for (const [key, usual] of Object.entries(keys)) given.leave(key, becomes, usual);
  account.environment(env, /^PEON_/);
  const paused = join(folderOf(home, env), ".paused");
  if (tryToStat(paused) !== undefined)
    account.say({ places: [paused], reason: "it is paused; hookbell will not be: `hookbell mute --all` is the same" });
  for (const folder of otherSettings.map((each) => join(home, each, "config.json")))
    if (tryToStat(folder) !== undefined)
      account.say({ places: [folder], reason: "settings of its own for one agent; they are not read" });
  account.say({
    reason: "its sound packs: hookbell has one sound for each level; `sound` of a channel plays a file of yours",
  });
  account.say({ reason: "settings of a single project: a repository's .hookbell.jsonc" });
}

/** A folder without a pattern stands for what is below it as well. */
function foldersOf(folder: string, home: string): string[] {
  const path = folder.replace(/^~(?=\/|$)/, home).replace(/\/$/, "");
  return /[*?]/.test(path) ? [path] : [path, `${path}/*`];
}

const services = {
  ntfy: ["topic", "server", "token"],
  pushover: ["user_key", "app_token"],
  telegram: ["bot_token", "chat_id"],
} as const;

function phoneChannel(given: Settings, account: SettingsReader): ImportedChannel["settings"] | undefined {
  const isOn = given.isOn("enabled", true);
  const service = given.choice("service", ["ntfy", "pushover", "telegram"]);
  const used: readonly string[] = isOn && service !== undefined ? services[service] : [];
  const why = isOn ? `the service is ${service ?? "unknown"}` : "it is switched off";
  for (const key of Object.values(services).flat()) if (!used.includes(key)) given.leave(key, why, "");
  given.leave("priority", "the level decides", "");
  if (used.length === 0) return undefined;
  const [first, second, token] = used.map((key) => given.text(key));
  if (service === "ntfy" && first !== undefined)
    return { ...ntfyChannel(first, second, "summary"), ...(token === undefined ? {} : { token }) };
  if (service === "pushover" && first !== undefined && second !== undefined)
    return { type: "pushover", user: first, token: second };
  if (service === "telegram" && first !== undefined && second !== undefined) return telegramChannel(first, second);
  const reason = `a setting of ${service} is missing, so peon-ping sends nothing; hookbell channels add ${service}`;
  account.say({ places: ["mobile_notify"], reason });
  return undefined;
}

function voiceChannel(given: Settings): ImportedChannel["settings"] | undefined {
  const isOn = given.isOn("enabled", false);
  const voice = isOn ? given.text("voice") : undefined;
  const volume = isOn ? given.number("volume", 0.5, { min: 0, max: 1 }) : 0.5;
  const why = isOn ? "hookbell has a rate in words a minute, and programs of its own" : "speech is switched off";
  const usual = { backend: "auto", voice: "default", rate: 1, volume: 0.5, mode: "sound-then-speak" };
  for (const [key, value] of Object.entries(usual))
    if (!isOn || (key !== "voice" && key !== "volume")) given.leave(key, why, value);
  if (!isOn) return undefined;
  return { type: "speech", volume, ...(voice === undefined || voice === "default" ? {} : { voice }) };
}

interface Ways {
  waysOf(category: Category, isShownToo: boolean): string[];
  areSubagentsSilent: boolean;
  isReminding: boolean;
}

function alertsOf(hook: PeerHook, { waysOf, areSubagentsSilent, isReminding }: Ways): Alert[] | string {
  const { program, means, matches } = hook;
  // These serve its slash commands.
  if (/\/scripts\/hook-handle-[\w-]+\.\w+$/.test(program)) return [];
  if (program.includes("/adapters/") && means.includes("PreToolUse")) return "it warns of some tool calls";
  const done = waysOf("task.complete", true);
  const notifications: Record<string, string[]> = {
    elicitation_dialog: waysOf("input.required", true),
    ...(isReminding ? { idle_prompt: done } : {}),
  };
  const ways: Record<string, string[]> = {
    SessionStart: waysOf("session.start", false),
    UserPromptSubmit: waysOf("task.acknowledge", false),
    Stop: done,
    StopFailure: means.includes("Stop") ? done : [],
    SubagentStop: areSubagentsSilent ? [] : done,
    PermissionRequest: waysOf("input.required", true),
    PreCompact: waysOf("resource.limit", true),
    PostToolUseFailure: matches === undefined || matches.includes("Bash") ? waysOf("task.error", false) : [],
  };
  const alerts = means.flatMap((event): Alert[] =>
    event === "Notification"
      ? typesOf(hook).map((notificationType) => ({
          event,
          notificationType,
          notify: notifications[notificationType] ?? [],
        }))
      : [{ event, notify: ways[event] ?? [] }],
  );
  return alerts.filter(({ notify }) => notify.length > 0);
}

export const peonPing: Peer = {
  id: "peon-ping",
  name: "peon-ping",
  docs: "https://github.com/PeonPing/peon-ping#configuration",
  places: ({ home, env }) => [settingsFile(home, env)],
  read,
  program: /(?:^|\/)peon-ping\/(?:.*\/)?[\w-]+\.(?:sh|ps1|py)$/,
  args: /^[\w.-]*$/,
};
