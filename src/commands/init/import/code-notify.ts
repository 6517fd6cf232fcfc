// Code-Notify: small files below ~/.claude/notifications, and webhooks in ~/.config/code-notify/channels.json.
import { join } from "node:path";
import { objectOf } from "../../../model/json.ts";
import { statIfThere } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import {
  isOn,
  readSettingsObject,
  textOf,
  type ImportedChannel,
  type ImportedRule,
  type ImportedSettings,
  type Peer,
  type PeerPlace,
} from "./peer.ts";

/** Its alert types that are kinds of Claude Code's Notification; the others are events. */
const notificationTypes = ["idle_prompt", "permission_prompt", "auth_success", "elicitation_dialog"];

function read(place: PeerPlace): ImportedSettings {
  const [webhooksFile, folder] = filesOf(place);
  const file = (name: string): string => join(folder, name);
  const isThere = (name: string): boolean => statIfThere(file(name)) !== undefined;
  const webhooks = readSettingsObject(webhooksFile);
  const sound = readIfThere(file("sound-custom"))?.trim();
  const voice = ["voice-enabled", "voice-claude", "voice-codex", "voice-gemini"].find(isThere);
  const channels: ImportedChannel[] = [
    { name: "desktop", settings: { type: "desktop" } },
    ...(isThere("sound-enabled") ? [{ name: "sound", settings: { type: "sound", ...(sound ? { sound } : {}) } }] : []),
    ...(voice === undefined ? [] : [{ name: "voice", settings: { type: "speech", ...voiceOf(file(voice)) } }]),
    ...(isOn(webhooks.enabled, true) ? webhookChannels(webhooks.channels) : []),
  ];
  const notify = channels.map(({ name }) => name);
  const types = (readIfThere(file("notify-types"))?.trim() || "idle_prompt").split("|").map((type) => type.trim());
  const asked = types.filter((type) => notificationTypes.includes(type));
  const events = types.filter((type) => /^[A-Z]/.test(type));
  const asks = types.includes("permission_prompt") || types.includes("ask_user");
  const rules: ImportedRule[] = [
    { name: "done", when: { event: "Stop" }, notify },
    ...(asked.length === 0
      ? []
      : [{ name: "needs me", when: { event: "Notification", notificationType: asked }, notify }]),
    ...(asks ? [{ name: "asks", when: { event: "PermissionRequest" }, notify }] : []),
    ...(events.length === 0 ? [] : [{ name: "helpers", when: { event: events }, notify }]),
  ];
  const hasUsage = isOn(readSettingsObject(join(webhooksFile, "..", "usage.json")).enabled, false);
  const limits = { name: "limits", when: { event: ["LimitReached", "LimitReset", "LimitHigh"] }, notify };
  return {
    files: [webhooksFile, ...["notify-types", "sound-enabled", "sound-custom", voice ?? ""].map(file)].filter(
      (path) => statIfThere(path)?.isFile === true,
    ),
    channels,
    rules: hasUsage ? [...rules, limits] : rules,
    whole: {},
    notCarriedOver: [
      ...(types.includes("idle_prompt")
        ? [
            'the reminder after a minute (`idle_prompt`) is not sent once you were told of the end of the turn; `"idle": "remind"` in the rules sends it',
          ]
        : []),
      ...(hasUsage
        ? [
            "usage alerts at 20 % and 10 % left: hookbell tells when a limit is near only with its plug-in of Claude Code",
          ]
        : []),
      ...(isThere("disabled")
        ? ["it is switched off (`cn off`); hookbell will not be: `hookbell mute --all` is the same"]
        : []),
      "click-through mappings: a click raises the terminal that asked",
      "settings of a single project (`cnp on`): a repository's .hookbell.jsonc",
    ],
  };
}

function filesOf({ home, env }: PeerPlace): [string, string] {
  const folder = env.CODE_NOTIFY_CONFIG_DIR || join(home, ".config", "code-notify");
  return [join(folder, "channels.json"), join(home, ".claude", "notifications")];
}

function voiceOf(path: string): { voice?: string } {
  const voice = readIfThere(path)?.trim();
  return voice ? { voice } : {};
}

function webhookChannels(given: unknown): ImportedChannel[] {
  return (Array.isArray(given) ? given : []).flatMap((each): ImportedChannel[] => {
    const { name, provider, url } = objectOf(each);
    const isKnown = provider === "slack" || provider === "discord";
    const address = textOf(url);
    return isKnown && address !== undefined
      ? [{ name: textOf(name) ?? provider, settings: { type: provider, url: address } }]
      : [];
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
};
