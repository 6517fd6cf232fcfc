import type { Wiring } from "./define-wiring.ts";

const timeoutSeconds = 10;

/**
 * How Droid is wired: https://docs.factory.ai/reference/hooks-reference. What its program does differs from that page;
 * this is what 0.225.2 was seen to do. `hooks.json` hides the older place wholly and `settings.json` event by event;
 * one unsound event, a trailing comma or a byte order mark, and all hooks of the file are dropped without a word.
 */
export const droidWiring: Wiring = {
  program: "droid",
  folder: { path: ".factory", homeEnv: "FACTORY_HOME_OVERRIDE" },
  files: [
    {
      name: "hooks.json",
      shape: "bare",
      allowsComments: true,
      allowsByteOrderMark: false,
      offSwitch: ["hooksDisabled"],
    },
    {
      name: "hooks/hooks.json",
      shape: "bare",
      allowsComments: true,
      allowsByteOrderMark: false,
      onlyWithout: "hooks.json",
      offSwitch: ["hooksDisabled"],
    },
    {
      name: "settings.json",
      shape: "wrapped",
      allowsComments: true,
      allowsByteOrderMark: false,
      offSwitch: ["hooks", "hooksDisabled"],
    },
  ],
  defaultFile: "hooks.json",
  soundEvents: [
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionStart",
    "SessionEnd",
  ],
  hasSoundGroups: true,
  events: {
    Notification: { timeoutSeconds },
    Stop: { timeoutSeconds },
    SubagentStop: { timeoutSeconds },
    SessionEnd: { timeoutSeconds },
    // The start of a turn: its length, and a question that is answered need not be asked any more.
    UserPromptSubmit: { timeoutSeconds },
  },
  windowsForm: "commandLine",
  managedFiles: {
    linux: "/etc/factory/settings.json",
    darwin: "/Library/Application Support/Factory/settings.json",
    win32: "C:\\Program Files\\Factory\\settings.json",
  },
  afterwards: "restart Droid: it reads its hooks once, when it starts",
  ownNotifications: 'Droid plays sounds of its own: "completionSound" and "awaitingInputSound" in its settings.json',
};
