// How the hooks of Cline are set up: https://docs.cline.bot/customization/hooks
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords } from "../../sample.ts";
import { flatEntry, type OwnFile, type HookedEvent, type HookSetup } from "../../hook-setup.ts";
import { powerShellFileLine, shellWord } from "../../../model/text.ts";

const events: Readonly<Record<string, HookedEvent>> = {
  // Cline sends this event at the end of a subagent, too.
  TaskComplete: { mapsTo: ["Stop", "SubagentStop"], needsName: true },
  TaskError: { mapsTo: ["StopFailure"], needsName: true },
  Notification: { mapsTo: ["Notification"], needsName: true },
  TaskStart: { mapsTo: ["UserPromptSubmit"], isSupporting: true, needsName: true },
  TaskResume: { mapsTo: ["UserPromptSubmit"], isSupporting: true, needsName: true },
  SessionShutdown: { mapsTo: ["SessionEnd"], isSupporting: true, needsName: true },
  PreToolUse: { mapsTo: ["PreToolUse"], isOnlyIfNamed: true, needsName: true },
  PostToolUse: { mapsTo: ["PostToolUse"], isOnlyIfNamed: true, needsName: true },
};

/** The program answers Cline with an empty object. */
const program = (event: string): OwnFile => ({
  name: (platform) => (platform === "win32" ? `${event}.ps1` : event),
  event,
  isExecutable: true,
  comment: "#",
  text: ({ argv, platform }) =>
    platform === "win32"
      ? `${powerShellFileLine(argv)} *> $null\n'{}'\nexit 0\n`
      : `#!/bin/sh\n${argv.map(shellWord).join(" ")} >/dev/null 2>&1\necho '{}'\nexit 0\n`,
});

const sampleFields: Readonly<Record<string, Payload>> = {
  TaskComplete: { taskComplete: { taskMetadata: { result: sampleWords } } },
  TaskError: { error: { name: "ApiError", message: sampleWords } },
  Notification: { notification: { event: "user_attention", message: sampleWords, waitingForUserInput: true } },
  SessionShutdown: { reason: "exit" },
};

/** Cline runs programs named after events. The CLI runs those of both folders; VS Code's Cline before 4 knows only the second. */
export const clineHookSetup: HookSetup = {
  programs: ["cline"],
  tested: "3.0.65",
  folders: [
    { path: ".cline/hooks", sign: { path: ".cline" } },
    { path: "Documents/Cline/Hooks", sign: { path: "Documents/Cline" } },
  ],
  files: [],
  ownFiles: Object.keys(events).map(program),
  events,
  entry: flatEntry,
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
  notificationTypes: { agent_needs_input: "with a question" },
  nextStep: 'in VS Code, switch "Enable Hooks" on in Cline\'s settings; the command line runs them at once',
  isReloading: true,
};
