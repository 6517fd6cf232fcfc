import { claudeSample, sampleWords } from "../../sample.ts";
import { claudeEntry, usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/** Codex cuts longer ones down to this, with a warning at every run. */
const maxSecondsAtEnd = 3;

/**
 * How Codex is wired: https://developers.openai.com/codex/hooks. It asks the person to trust each hook by its text and
 * place, so neither changes without need. Releases before hooks were on by default have `notify` alone.
 */
export const codexWiring: Wiring = {
  programs: ["codex"],
  folders: [{ path: ".codex", moved: { env: "CODEX_HOME" } }],
  files: [
    {
      name: "hooks.json",
      shape: "wrapped",
      allowsComments: false,
      allowsByteOrderMark: false,
      onlyMembers: ["description", "hooks"],
    },
  ],
  defaultFile: "hooks.json",
  notify: {
    file: "config.toml",
    hooksSince: "0.124.0",
    nextStep: "restart codex: it reads its config.toml when it starts; there is nothing to approve",
    sample: ({ session, cwd }) => ({
      type: "agent-turn-complete",
      "thread-id": session,
      "turn-id": "1",
      cwd,
      client: "codex-tui",
      "input-messages": [sampleWords],
      "last-assistant-message": sampleWords,
    }),
  },
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    PermissionRequest: { mapsTo: ["PermissionRequest"] },
    Stop: { mapsTo: ["Stop"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true, timeoutSeconds: maxSecondsAtEnd },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: { ...claudeEntry, shell: "login" },
  sample: { payload: claudeSample(() => ({ model: "sample", turn_id: "t1" })) },
  managed: {
    files: { linux: ["/etc/codex/requirements.toml"], darwin: ["/etc/codex/requirements.toml"] },
    switches: [
      { member: ["allow_managed_hooks_only"], value: true },
      { member: ["features", "hooks"], value: false },
    ],
  },
  switches: [
    { file: "config.toml", member: ["features", "hooks"], value: false },
    { file: "config.toml", member: ["features", "codex_hooks"], value: false },
  ],
  nextStep: "start codex and approve the hooks with /hooks: until then it runs none of them, and does not say so",
  ownNoises: [
    {
      file: "config.toml",
      member: ["tui", "notifications"],
      isOnByDefault: false,
      quiet: [false],
      text: 'Codex notifies in the terminal by itself: "notifications = false" under [tui] in its config.toml silences that',
    },
  ],
};
