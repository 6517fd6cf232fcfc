// How the hooks of Droid are set up: https://docs.factory.ai/reference/hooks-reference
import { claudeSample } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

/** Measured with 0.225.2. One invalid event, a trailing comma or a byte order mark, and Droid ignores all hooks of the file. */
export const droidHookSetup: HookSetup = {
  programs: ["droid"],
  tested: "0.225.2",
  folders: [{ path: ".factory", moved: { env: "FACTORY_HOME_OVERRIDE", into: ".factory" } }],
  files: [
    { name: "hooks.json", shape: "bare", allowsComments: true, offSwitch: ["hooksDisabled"] },
    {
      name: "hooks/hooks.json",
      shape: "bare",
      allowsComments: true,
      onlyWithout: "hooks.json",
      offSwitch: ["hooksDisabled"],
    },
    { name: "settings.json", shape: "wrapped", allowsComments: true, offSwitch: ["hooks", "hooksDisabled"] },
  ],
  // The shape that the platform's document shows: https://docs.factory.ai/reference/hooks-reference
  defaultFile: "hooks.json",
  takesOtherMembers: true,
  hasStrictGroups: true,
  events: {
    Notification: { mapsTo: ["Notification"] },
    // A Notification does not name the tool. Only for tools that ask: Droid shows a line for each hook.
    PreToolUse: {
      mapsTo: ["PreToolUse"],
      alsoFor: ["Notification"],
      matcher:
        "^(?:Execute|Script|Create|Edit|MultiEdit|ApplyPatch|FetchUrl|AskUser|ExitSpecMode|ProposeMission|.*___.*)$",
    },
    Stop: { mapsTo: ["Stop", "StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    // These events give a turn's duration, and retract an answered question.
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    // A subagent is a session of its own; this says whose.
    SessionStart: { mapsTo: ["SessionStart"], isSupporting: true },
    ...onlyIfNamed("PostToolUse", "PreCompact"),
  },
  entry: { ...claudeEntry, expandsHome: true, shellOnWindows: "cmd" },
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
  nextStep: "restart Droid: it reads its hooks when it starts",
  notificationTypes: {
    permission_prompt: "with a question",
    elicitation_dialog: "with a question that has choices",
    idle_prompt: "after Escape; it sends no notification, since you did that",
  },
  ownNotifications: [
    {
      file: "settings.json",
      member: ["completionSound"],
      isOnByDefault: true,
      quiet: ["off"],
      text: 'Droid plays its own sound when it is done; to stop that, set "completionSound": "off" in its settings.json',
    },
    {
      file: "settings.json",
      member: ["awaitingInputSound"],
      isOnByDefault: true,
      quiet: ["off"],
      text: 'Droid plays its own sound when it waits; to stop that, set "awaitingInputSound": "off" in its settings.json',
    },
  ],
};
