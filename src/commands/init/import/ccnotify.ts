// CCNotify: a Python script without settings, which shows each end of a turn and each notification of Claude Code.
import { join } from "node:path";
import type { ImportedSettings, Peer, PeerPlace } from "./peer.ts";

function script({ home }: PeerPlace): string {
  return join(home, ".claude", "ccnotify", "ccnotify.py");
}

function read(): ImportedSettings {
  const notify = ["desktop"];
  return {
    files: [],
    channels: [{ name: "desktop", settings: { type: "desktop" } }],
    rules: [
      { name: "done", when: { event: "Stop" }, notify, title: "{project}: done in {duration}" },
      { name: "needs me", when: { event: ["Notification", "PermissionRequest"], level: "attention" }, notify },
    ],
    whole: {},
    notCarriedOver: [
      "it shows only the reminder of a session that waits; the rule also notifies you of permissions and questions",
      "a click raises the terminal that asked, instead of opening VS Code",
      "its log and its database of prompts: `hookbell log` and `hookbell digest` show hookbell's own",
    ],
  };
}

export const ccnotify: Peer = {
  id: "ccnotify",
  name: "CCNotify",
  docs: "https://github.com/dazuiba/CCNotify#readme",
  places: (place) => [script(place)],
  read,
  program: /(?:^|\/)ccnotify\.py$/,
};
