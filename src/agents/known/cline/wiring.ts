import type { Payload } from "../../dialect/agent.ts";
import { sampleWords } from "../../sample.ts";
import { usualTimeoutSeconds, type OwnFile, type WiredEvent, type Wiring } from "../../wiring.ts";
import { shellWord, windowsLine } from "../../../model/shell-word.ts";

const events: Readonly<Record<string, WiredEvent>> = {
  // A helper's end comes as this, too.
  TaskComplete: { mapsTo: ["Stop", "SubagentStop"], needsName: true },
  TaskError: { mapsTo: ["StopFailure"], needsName: true },
  Notification: { mapsTo: ["Notification"], needsName: true },
  TaskStart: { mapsTo: ["UserPromptSubmit"], isSupporting: true, needsName: true },
  TaskResume: { mapsTo: ["UserPromptSubmit"], isSupporting: true, needsName: true },
  SessionShutdown: { mapsTo: ["SessionEnd"], isSupporting: true, needsName: true },
};

/** One program an event, named after it. It answers Cline with an object that asks for nothing. */
const program = (event: string): OwnFile => ({
  name: (platform) => (platform === "win32" ? `${event}.ps1` : event),
  event,
  isExecutable: true,
  comment: "#",
  text: ({ argv, platform }) =>
    platform === "win32"
      ? `${windowsLine(argv)} *> $null\n'{}'\nexit 0\n`
      : `#!/bin/sh\n${argv.map(shellWord).join(" ")} >/dev/null 2>&1\necho '{}'\nexit 0\n`,
});

const sampleFields: Readonly<Record<string, Payload>> = {
  TaskComplete: { taskComplete: { taskMetadata: { result: sampleWords } } },
  TaskError: { error: { name: "ApiError", message: sampleWords } },
  Notification: { notification: { event: "user_attention", message: sampleWords, waitingForUserInput: true } },
  SessionShutdown: { reason: "exit" },
};

/**
 * How Cline is wired: https://docs.cline.bot/customization/hooks. It runs programs named after events, the command line's
 * from both folders: only one of them gets ours, or every event came twice. VS Code's before 4 knows the second alone.
 */
export const clineWiring: Wiring = {
  programs: ["cline"],
  folders: [
    { path: ".cline/hooks", sign: { path: ".cline" } },
    { path: "Documents/Cline/Hooks", sign: { path: "Documents/Cline" } },
  ],
  files: [],
  ownFiles: Object.keys(events).map(program),
  soundEvents: [],
  hasSoundGroups: false,
  events,
  timeoutSeconds: usualTimeoutSeconds,
  entry: { layout: "flat", hasType: false, commandKey: "command" },
  sample: {
    payload: ({ event, session, cwd, at }) => ({
      clineVersion: "",
      hookName: event,
      timestamp: at,
      taskId: session,
      workspaceRoots: [cwd],
      ...sampleFields[event],
    }),
  },
  nextStep: 'in VS Code, switch "Enable Hooks" on in Cline\'s settings; the command line runs them at once',
};
