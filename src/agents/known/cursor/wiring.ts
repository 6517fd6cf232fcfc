import { usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/** How Cursor is wired: https://cursor.com/docs/hooks. Its gate events are left alone: they wait for an answer. */
export const cursorWiring: Wiring = {
  programs: ["cursor", "cursor-agent"],
  folders: [{ path: ".cursor" }],
  files: [
    {
      name: "hooks.json",
      shape: "wrapped",
      allowsComments: false,
      allowsByteOrderMark: false,
      required: { version: 1 },
    },
  ],
  defaultFile: "hooks.json",
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    stop: { mapsTo: ["Stop", "StopFailure"] },
    subagentStop: { mapsTo: ["SubagentStop"] },
    sessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: {
    layout: "flat",
    hasType: false,
    commandKey: "command",
    timeout: { key: "timeout", unit: "seconds" },
    windows: "anyShell",
  },
  imports: ["claude-code"],
  nextStep: "Cursor reads the file again by itself; if it does not, restart it",
};
