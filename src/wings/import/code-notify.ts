// Code-Notify: small files below ~/.claude/notifications, and webhooks in ~/.config/code-notify/channels.json.
import { join } from "node:path";
import { notificationTypeNames } from "../../agents/dialect/notification-types.ts";
import { tryToStat } from "../../system/files/files.ts";
import type { SettingsReader, Folder, Settings } from "./settings-reader.ts";
import {
  typesOf,
  type Alert,
  type ImportedChannel,
  type ImportedRule,
  type ImportedSettings,
  type Peer,
  type PeerHook,
  type PeerPlace,
} from "./peer.ts";

/** Its agents that hookbell knows, by the names of its files. */
const agents: Record<string, string> = { claude: "claude-code", codex: "codex", gemini: "gemini-cli" };

function read(place: PeerPlace, account: SettingsReader, hooks: readonly PeerHook[]): ImportedSettings {
  const [webhooksFile, folderPath] = filesOf(place);
  const webhooks = webhookChannels(account.json(webhooksFile));
  const folder = account.folder(folderPath);
  const sound = soundChannel(folder, account);
  const voices = voiceChannels(folder);
  const channels: ImportedChannel[] = [
    { name: "desktop", settings: { type: "desktop" } },
    ...(sound === undefined ? [] : [{ name: "sound", settings: sound }]),
    ...voices.map(({ channel }) => channel),
    ...webhooks,
  ];
  const ofAgents = new Map(
    voices.flatMap(({ agent, channel }) => (agent === undefined ? [] : [[channel.name, agent]])),
  );
  const everywhere = channels.map(({ name }) => name).filter((name) => !ofAgents.has(name));
  const waysOf = (agentId: string): string[] => [
    ...everywhere,
    ...[...ofAgents].flatMap(([name, agent]) => (agent === agentId ? [name] : [])),
  ];
  const { told, isIdle } = toldEvents(folder, account, hooks);
  const rules = told.flatMap((rule): ImportedRule[] => [
    { ...rule, notify: everywhere },
    ...[...ofAgents].map(([channel, agent]) => {
      return { ...rule, name: `${rule.name} (${agent})`, when: { ...rule.when, agent }, notify: [channel] };
    }),
  ]);
  const limits = limitRules(account.json(join(webhooksFile, "..", "usage.json"), "usage.json: "), everywhere);
  const isOff = folder.has("disabled");
  if (isOff) {
    const reason = "it is switched off (`cn off`); hookbell will not be: `hookbell mute --all` is the same";
    account.say({ places: [join(folderPath, "disabled")], reason });
  }
  leaveOthers(folder, account, place, isIdle);
  return {
    channels,
    rules: [...rules, ...limits],
    whole: {},
    alertsOf: (hook) => (isOff ? [] : alertsOf(hook, waysOf(hook.agentId))),
  };
}

function filesOf({ home, env }: PeerPlace): [string, string] {
  const folder = env.CODE_NOTIFY_CONFIG_DIR || join(home, ".config", "code-notify");
  return [join(folder, "channels.json"), join(home, ".claude", "notifications")];
}

function soundChannel(folder: Folder, account: SettingsReader): ImportedChannel["settings"] | undefined {
  const sound = folder.text("sound-custom");
  if (folder.has("sound-enabled")) return { type: "sound", ...(sound ? { sound } : {}) };
  if (sound) account.say({ places: ["sound-custom"], reason: "sound is switched off" });
  return undefined;
}

/** One voice for all agents, or else one for each that has its own. */
function voiceChannels(folder: Folder): { channel: ImportedChannel; agent?: string }[] {
  const channelFor = (file: string, name: string): ImportedChannel => {
    const voice = folder.text(file);
    return { name, settings: { type: "speech", ...(voice ? { voice } : {}) } };
  };
  if (folder.has("voice-enabled")) {
    folder.leave(/^voice-/, "every agent speaks with the voice of voice-enabled; a rule with `agent` changes that");
    return [{ channel: channelFor("voice-enabled", "voice") }];
  }
  const own = Object.entries(agents).flatMap(([name, agent]) =>
    folder.has(`voice-${name}`) ? [{ channel: channelFor(`voice-${name}`, `voice-${name}`), agent }] : [],
  );
  folder.leave(/^voice-/, "hookbell does not know this agent of Code-Notify");
  return own;
}

function webhookChannels(given: Settings): ImportedChannel[] {
  if (!given.isOn("enabled", true)) {
    given.leave("channels", "they are switched off", []);
    return [];
  }
  return given.objects("channels").flatMap((each): ImportedChannel[] => {
    const [name, provider, url] = [each.text("name"), each.choice("provider", ["slack", "discord"]), each.text("url")];
    if (provider === undefined || url === undefined) return [];
    return [{ name: name ?? provider, settings: { type: provider, url } }];
  });
}

/** A rule without its channels. */
interface Told {
  name: string;
  when: Record<string, unknown>;
}

/** What is set up, and what the hooks that are installed let through: one may be older than the other. */
function toldEvents(
  folder: Folder,
  account: SettingsReader,
  hooks: readonly PeerHook[],
): { told: Told[]; isIdle: boolean } {
  const types = (folder.text("notify-types") || "idle_prompt").split("|").map((type) => type.trim());
  const kinds = new Set(types.filter((type) => notificationTypeNames.includes(type)));
  const events = new Set(types.filter((type) => /^[A-Z]\w*$/.test(type)));
  let isEveryKind = false;
  let asks = types.includes("ask_user");
  for (const [index, type] of types.entries()) {
    if (kinds.has(type) || events.has(type) || type === "ask_user" || type === "") continue;
    // Whatever else is in the file is not repeated.
    const named = /^[a-z]+(?:_[a-z]+)*$/.test(type) ? type : `type ${index + 1}`;
    account.say({ places: [`notify-types: ${named}`], reason: "hookbell does not know this type", keepsHooks: true });
  }
  for (const hook of hooks) {
    for (const event of hook.means) {
      if (event === "Notification" && hook.matches === undefined) isEveryKind = true;
      else if (event === "Notification") for (const type of typesOf(hook)) kinds.add(type);
      else if (isAboutQuestion(hook, event)) asks = true;
      else events.add(event);
    }
  }
  for (const event of ["Stop", "StopFailure", "PermissionRequest", "PreToolUse"]) events.delete(event);
  asks ||= isEveryKind || kinds.has("permission_prompt");
  const when = isEveryKind ? {} : { notificationType: [...kinds] };
  const told = [
    // Some agents report a failed turn by the same hook.
    { name: "done", when: { event: ["Stop", "StopFailure"] } },
    ...(isEveryKind || kinds.size > 0 ? [{ name: "needs me", when: { event: "Notification", ...when } }] : []),
    ...(asks ? [{ name: "asks", when: { event: "PermissionRequest" } }] : []),
    ...(events.size === 0 ? [] : [{ name: "subagents", when: { event: [...events] } }]),
  ];
  return { told, isIdle: isEveryKind || kinds.has("idle_prompt") };
}

/** Claude Code's question to the person is a tool, and asks for a permission, too. */
function isAboutQuestion({ matches }: PeerHook, event: string): boolean {
  return (
    event === "PermissionRequest" ||
    (event === "PreToolUse" && matches?.every((tool) => tool === "AskUserQuestion") === true)
  );
}

function limitRules(given: Settings, notify: string[]): ImportedRule[] {
  const isOn = given.isOn("enabled", false);
  const resets = given.object("reset_alerts");
  const areResetsTold = resets.isOn("enabled", true);
  const plugIn = "hookbell tells when a limit is near only with its plug-in of Claude Code";
  const off = "usage alerts are switched off";
  given.leave("thresholds", isOn ? plugIn : off, isOn ? undefined : [20, 10]);
  given.leave("providers", isOn ? "hookbell tells of every agent's limits" : off, ["codex", "claude"]);
  given.leave("provider_enabled", isOn ? "hookbell tells of every agent's limits" : off, { codex: isOn, claude: isOn });
  resets.leave("voice", isOn ? "the channel decides" : off, true);
  resets.leave("sound", isOn ? "the channel decides" : off, true);
  resets.leave("sound_file", isOn ? "hookbell has one sound for each level" : off, "");
  if (!isOn) return [];
  const event = ["LimitReached", ...(areResetsTold ? ["LimitReset"] : []), "LimitHigh"];
  return [{ name: "limits", when: { event }, notify }];
}

function leaveOthers(folder: Folder, account: SettingsReader, { home, env }: PeerPlace, isIdle: boolean): void {
  folder.ignore(/^(?:notify\.(?:sh|ps1)|state|logs?|.*\.log|last_.*)$/);
  folder.leave(/^sounds$/, "`sound` of a channel plays a file of yours");
  if (isIdle)
    account.say({
      reason:
        'the reminder after a minute (`idle_prompt`) is not sent once you were told of the end of the turn; `"idle": "remind"` in the rules sends it',
    });
  const clicks = join(env.CODE_NOTIFY_HOME || join(home, ".code-notify"), "click-through.conf");
  if (tryToStat(clicks) !== undefined)
    account.say({ places: [clicks], reason: "a click raises the terminal that asked" });
  account.environment(env, /^CODE_NOTIFY_/, /^CODE_NOTIFY_(?:CONFIG_DIR|HOME)$/);
  account.say({ reason: "settings of a single project (`cnp on`): a repository's .hookbell.jsonc" });
}

function alertsOf(hook: PeerHook, notify: string[]): Alert[] {
  return hook.means.flatMap((event): Alert[] => {
    if (event === "Notification") return typesOf(hook).map((notificationType) => ({ event, notificationType, notify }));
    return [{ event: isAboutQuestion(hook, event) ? "PermissionRequest" : event, notify }];
  });
}

export const codeNotify: Peer = {
  id: "code-notify",
  name: "Code-Notify",
  docs: "https://github.com/mylee04/code-notify#readme",
  places: (place) => {
    const [webhooks, folder] = filesOf(place);
    return [webhooks, ...["notify-types", "sound-enabled", "voice-enabled"].map((name) => join(folder, name))];
  },
  read,
  program: /(?:^|\/)(?:code-notify\/(?:.*\/)?(?:notifier|notify)|\.claude\/notifications\/notify)\.(?:sh|ps1)$/,
  args: /^(?:[\w.-]+(?: |$))*$/,
};
