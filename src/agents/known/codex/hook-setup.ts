// How the hooks of Codex are set up: https://developers.openai.com/codex/hooks
import { claudeSample, sampleQuestion } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, questionTool, type HookSetup } from "../../hook-setup.ts";

/** Codex shortens longer timeouts, with a warning at every run. */
const maxSecondsAtEnd = 3;

/** Codex looks at the matcher of these alone. */
const eventsWithMatcher: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PermissionRequest",
  "SessionStart",
  "PreCompact",
  "PostCompact",
]);

/** Codex asks for trust by a hook's text and place, so neither changes without need. Releases before 0.124 have no hooks. */
export const codexHookSetup: HookSetup = {
  programs: ["codex"],
  tested: "0.171.0",
  folders: [{ path: ".codex", moved: { env: "CODEX_HOME" } }],
  files: [{ name: "hooks.json", shape: "wrapped", onlyMembers: ["description", "hooks"] }],
  defaultFile: "hooks.json",
  events: {
    PermissionRequest: { mapsTo: ["PermissionRequest"], isAnswerable: "question" },
    Stop: { mapsTo: ["Stop"] },
    SubagentStop: { mapsTo: ["SubagentStop"], alsoFor: ["SubagentStart"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true, timeoutSeconds: maxSecondsAtEnd },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    // After Escape there is no Stop. Releases that do not know the event ignore it.
    Interrupt: { mapsTo: [], isSupporting: true, timeoutSeconds: maxSecondsAtEnd },
    // Codex's own questions start no other event.
    ...questionTool("request_user_input"),
    ...onlyIfNamed("SubagentStart", "PreCompact", "PostCompact"),
  },
  entry: { ...claudeEntry, expandsHome: true, shell: "login", shellOnWindows: "any" },
  sample: {
    payload: claudeSample(({ event }) => ({
      model: "sample",
      turn_id: "t1",
      ...sampleQuestion(event, "request_user_input"),
    })),
  },
  managed: {
    files: { linux: ["/etc/codex/requirements.toml"], darwin: ["/etc/codex/requirements.toml"] },
    switches: [
      { member: ["allow_managed_hooks_only"], value: true },
      { member: ["features", "hooks"], value: false },
    ],
  },
  switches: [
    { file: "config.toml", member: ["features", "hooks"], value: false },
    { file: "config.toml", member: ["features", "codex_hooks"], value: false },
  ],
  // Codex runs no hook whose hash is not there. It hashes JSON with sorted keys: seen in 0.171.0, for each event above.
  approvals: {
    file: "config.toml",
    member: ["hooks", "state"],
    keyOf: ({ file, event, group, handler }) => `${file}:${snakeCase(event)}:${group}:${handler}`,
    textOf: ({ event, matcher, handler: { command, timeout = 600, statusMessage } }) =>
      JSON.stringify({
        event_name: snakeCase(event),
        hooks: [{ async: false, command, statusMessage, timeout, type: "command" }],
        matcher: eventsWithMatcher.has(event) ? matcher : undefined,
      }),
    recordOf: (sha256) => ({ trusted_hash: `sha256:${sha256}` }),
  },
  nextStep: "restart codex and approve the hooks with /hooks; until then it silently skips them",
  ownNotifications: [
    {
      file: "config.toml",
      member: ["notify"],
      isOnByDefault: false,
      quiet: [],
      text: 'Codex also runs the program that "notify" names in its config.toml; to stop that, remove that line',
    },
    {
      file: "config.toml",
      member: ["tui", "notifications"],
      isOnByDefault: false,
      quiet: [false],
      text: 'Codex also sends its own notifications in the terminal; to stop that, set "notifications = false" under [tui] in its config.toml',
    },
  ],
};

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
