// How Claude Code is wired: https://code.claude.com/docs/en/hooks
import { claudeSample } from "../../sample.ts";
import { claudeEntry, defaultTimeoutSeconds, type Wiring } from "../../wiring.ts";

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
  strictEvents: "all",
  hasStrictGroups: false,
  events: {
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    // Claude Code kills a SessionEnd hook without a timeout after 1.5 s.
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    // The start of a turn: needed for its duration, and to withdraw an answered question.
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    // Calls of tools.
    PostToolUse: { mapsTo: ["PostToolUse"], isUsage: true },
    PostToolUseFailure: { mapsTo: ["PostToolUseFailure"], isUsage: true },
  },
  timeoutSeconds: defaultTimeoutSeconds,
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
  ownNotifications: [
    {
      file: "settings.json",
      member: ["preferredNotifChannel"],
      // Beside the folder, or in it where CLAUDE_CONFIG_DIR moved it.
      olderFiles: ["../.claude.json", ".claude.json"],
      isOnByDefault: true,
      quiet: ["notifications_disabled"],
      text: 'Claude Code may also notify by itself; to stop that, set "preferredNotifChannel": "notifications_disabled"',
    },
  ],
};
