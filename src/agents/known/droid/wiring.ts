import { claudeSample } from "../../sample.ts";
import { claudeEntry, usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/**
 * How Droid is wired: https://docs.factory.ai/reference/hooks-reference. What its program does differs from that page;
 * this is what 0.225.2 was seen to do. `hooks.json` hides the older place wholly and `settings.json` event by event;
 * one unsound event, a trailing comma or a byte order mark, and all hooks of the file are dropped without a word.
 */
export const droidWiring: Wiring = {
  programs: ["droid"],
  folders: [{ path: ".factory", moved: { env: "FACTORY_HOME_OVERRIDE", into: ".factory" } }],
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
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    // The start of a turn: its length, and a question that is answered need not be asked any more.
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: claudeEntry,
  sample: {
    payload: claudeSample(() => ({ permission_mode: "auto-low" })),
    projectVariables: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
    // Droid exports every text of the payload under its own key.
    variables: (payload) =>
      Object.fromEntries(
        Object.entries(payload).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
      ),
  },
  managed: {
    files: {
      linux: ["/etc/factory/settings.json"],
      darwin: ["/Library/Application Support/Factory/settings.json"],
      win32: ["C:\\Program Files\\Factory\\settings.json"],
    },
    switches: [{ member: ["allowManagedHooksOnly"], value: true }],
  },
  nextStep: "restart Droid: it reads its hooks once, when it starts",
  ownNoises: [
    {
      file: "settings.json",
      member: ["completionSound"],
      isOnByDefault: true,
      quiet: ["off"],
      text: 'Droid plays a sound when it is done: "completionSound": "off" in its settings.json silences that',
    },
    {
      file: "settings.json",
      member: ["awaitingInputSound"],
      isOnByDefault: true,
      quiet: ["off"],
      text: 'Droid plays a sound when it waits: "awaitingInputSound": "off" in its settings.json silences that',
    },
  ],
};
