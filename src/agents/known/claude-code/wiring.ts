import { claudeSample } from "../../sample.ts";
import { claudeEntry, usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/** How Claude Code is wired: https://code.claude.com/docs/en/hooks */
export const claudeCodeWiring: Wiring = {
  programs: ["claude"],
  folders: [{ path: ".claude", moved: { env: "CLAUDE_CONFIG_DIR" } }],
  files: [
    {
      name: "settings.json",
      shape: "wrapped",
      allowsComments: false,
      allowsByteOrderMark: true,
      offSwitch: ["disableAllHooks"],
    },
  ],
  defaultFile: "settings.json",
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    // Without a timeout of its own a SessionEnd hook is killed after 1.5 s.
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    // The start of a turn: its length, and a question that is answered need not be asked any more.
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: claudeEntry,
  sample: {
    payload: claudeSample(),
    projectVariables: ["CLAUDE_PROJECT_DIR"],
    variables: () => ({ CLAUDECODE: "1" }),
  },
  managed: {
    files: {
      linux: ["/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/"],
      darwin: [
        "/Library/Application Support/ClaudeCode/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.d/",
      ],
      win32: [
        "C:\\Program Files\\ClaudeCode\\managed-settings.json",
        "C:\\Program Files\\ClaudeCode\\managed-settings.d\\",
      ],
    },
    switches: [
      { member: ["allowManagedHooksOnly"], value: true },
      { member: ["disableAllHooks"], value: true },
    ],
  },
  nextStep: "Claude Code reads its settings again by itself; nothing to do",
  ownNoises: [
    {
      file: "settings.json",
      member: ["preferredNotifChannel"],
      // Beside the folder, or in it where that was moved.
      olderFiles: ["../.claude.json", ".claude.json"],
      isOnByDefault: true,
      quiet: ["notifications_disabled"],
      text: 'Claude Code may notify by itself: "preferredNotifChannel": "notifications_disabled" silences that',
    },
  ],
};
