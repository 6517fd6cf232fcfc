import { usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/**
 * How Copilot CLI is wired: https://docs.github.com/en/copilot/reference/hooks-reference. It reads every file in its folder,
 * so ours is a file of its own. Event names in PascalCase make it send Claude Code's field names.
 */
export const copilotCliWiring: Wiring = {
  programs: ["copilot"],
  folders: [{ path: ".copilot", moved: { env: "COPILOT_HOME" } }],
  files: [
    {
      name: "hooks/hookbell.json",
      shape: "wrapped",
      allowsComments: false,
      allowsByteOrderMark: false,
      offSwitch: ["disableAllHooks"],
      required: { version: 1 },
    },
  ],
  defaultFile: "hooks/hookbell.json",
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    ErrorOccurred: { mapsTo: ["StopFailure"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: {
    layout: "flat",
    hasType: true,
    commandKey: "bash",
    timeout: { key: "timeoutSec", unit: "seconds" },
    shell: "bash",
    windows: "powershellField",
  },
  managed: {
    files: { linux: ["/etc/github-copilot/policy.d/"], win32: ["C:\\ProgramData\\GitHub\\Copilot\\policy.d\\"] },
    switches: [
      { member: ["disableAllHooks"], value: true },
      { member: ["allowManagedHooksOnly"], value: true },
    ],
  },
  nextStep: "restart Copilot CLI: it reads its hooks when it starts",
};
