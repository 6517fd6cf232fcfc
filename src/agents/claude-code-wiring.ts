import type { Wiring } from "./define-wiring.ts";

const timeoutSeconds = 10;

/** How Claude Code is wired: https://code.claude.com/docs/en/hooks */
export const claudeCodeWiring: Wiring = {
  program: "claude",
  folder: { path: ".claude", env: "CLAUDE_CONFIG_DIR" },
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
    Notification: { timeoutSeconds },
    Stop: { timeoutSeconds },
    StopFailure: { timeoutSeconds },
    SubagentStop: { timeoutSeconds },
    // Without a timeout of its own a SessionEnd hook is killed after 1.5 s.
    SessionEnd: { timeoutSeconds },
    // The start of a turn: its length, and a question that is answered need not be asked any more.
    UserPromptSubmit: { timeoutSeconds },
  },
  windowsForm: "arguments",
  managedFiles: {
    linux: "/etc/claude-code/managed-settings.json",
    darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
    win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
  },
  afterwards: "Claude Code reads its settings again by itself; nothing to do",
  ownNotifications: 'Claude Code may notify by itself: "preferredNotifChannel": "notifications_disabled" silences that',
};
