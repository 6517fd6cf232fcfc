import { claudeSample } from "../../sample.ts";
import { claudeEntry, usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/**
 * How Qwen Code is wired: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks. Its releases before 1.0 count
 * timeouts in milliseconds, later ones in seconds but for 1000 and more: ten thousand are ten seconds in all of them.
 */
export const qwenCodeWiring: Wiring = {
  programs: ["qwen"],
  folders: [{ path: ".qwen", moved: { env: "QWEN_HOME" } }],
  files: [
    {
      name: "settings.json",
      shape: "wrapped",
      allowsComments: true,
      allowsByteOrderMark: false,
      offSwitch: ["disableAllHooks"],
    },
  ],
  defaultFile: "settings.json",
  soundEvents: [],
  hasSoundGroups: false,
  events: {
    // PermissionRequest comes beside it, for the same question.
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: { ...claudeEntry, timeout: { key: "timeout", unit: "milliseconds" } },
  sample: {
    payload: claudeSample(({ at }) => ({ timestamp: at, permission_mode: "default" })),
    projectVariables: ["QWEN_PROJECT_DIR"],
  },
  managed: {
    files: {
      linux: ["/etc/qwen-code/settings.json"],
      darwin: ["/Library/Application Support/QwenCode/settings.json"],
      win32: ["C:\\ProgramData\\qwen-code\\settings.json"],
    },
    moved: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    switches: [{ member: ["disableAllHooks"], value: true }],
  },
  nextStep: "restart Qwen Code: it reads its settings when it starts",
  ownNoises: [
    {
      file: "settings.json",
      member: ["general", "terminalBell"],
      isOnByDefault: false,
      quiet: [false],
      text: 'Qwen Code rings the terminal\'s bell: "terminalBell": false under "general" silences that',
    },
  ],
};
