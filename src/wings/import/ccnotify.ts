// CCNotify: a Python script that shows each end of a turn and each reminder of Claude Code, with one JSON file in newer versions.
import { join } from "node:path";
import type { SettingsReader } from "./settings-reader.ts";
import {
  telegramChannel,
  typesOf,
  type ImportedChannel,
  type ImportedSettings,
  type Peer,
  type PeerPlace,
} from "./peer.ts";

function folderOf({ home }: PeerPlace): string {
  return join(home, ".claude", "ccnotify");
}

function read(place: PeerPlace, account: SettingsReader): ImportedSettings {
  const folder = account.folder(folderOf(place), true);
  folder.ignore(
    /^(?:config\.json|ccnotify\.py|ccnotify\.db|ccnotify\.log.*|telegram_sender\.py|__pycache__|alert\.jpg)$/,
  );
  const ways = account.json(join(folderOf(place), "config.json")).object("notifications");
  const [terminal, telegram] = [ways.object("terminal"), ways.object("telegram")];
  const channels: ImportedChannel[] = [];
  if (terminal.isOn("enabled", true)) channels.push({ name: "desktop", settings: { type: "desktop" } });
  if (telegram.isOn("enabled", false)) {
    const [token, chat] = [telegram.text("bot_token"), telegram.text("chat_id")];
    if (token !== undefined && chat !== undefined)
      channels.push({ name: "phone", settings: telegramChannel(token, chat) });
    else account.say({ places: ["notifications.telegram"], reason: "its bot_token or its chat_id is missing" });
  } else {
    for (const key of ["bot_token", "chat_id"]) telegram.leave(key, "Telegram is switched off");
  }
  account.say({
    reason:
      "it shows only the reminder of a session that waits; the rule also notifies you of permissions and questions",
  });
  account.say({ reason: "a click raises the terminal that asked, instead of opening VS Code" });
  account.say({
    reason: "its log and its database of prompts: `hookbell log` and `hookbell digest` show hookbell's own",
  });
  const notify = channels.map(({ name }) => name);
  return {
    channels,
    rules: [
      { name: "done", when: { event: "Stop" }, notify, title: "{project}: done in {duration}" },
      { name: "needs me", when: { event: ["Notification", "PermissionRequest"], level: "attention" }, notify },
    ],
    whole: {},
    alertsOf(hook) {
      const [event = hook.event] = hook.args;
      if (event === "UserPromptSubmit") return [];
      if (event === "Stop") return [{ event, notify }];
      if (event !== "Notification") return `hookbell does not know what it does for ${event}`;
      return typesOf(hook).includes("idle_prompt") ? [{ event, notificationType: "idle_prompt", notify }] : [];
    },
  };
}

export const ccnotify: Peer = {
  id: "ccnotify",
  name: "CCNotify",
  docs: "https://github.com/dazuiba/CCNotify#readme",
  places: (place) => [join(folderOf(place), "config.json"), join(folderOf(place), "ccnotify.py")],
  read,
  program: /(?:^|\/)ccnotify\.py$/,
  args: /^\w*$/,
};
