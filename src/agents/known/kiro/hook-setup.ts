// How the hooks of Kiro CLI and Amazon Q are set up: https://kiro.dev/docs/cli/hooks
import { sampleWords } from "../../sample.ts";
import { flatEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

/** Each of Kiro's agents has a file with its hooks; the built-in agents have none. */
export const kiroHookSetup: HookSetup = {
  programs: ["kiro-cli", "q"],
  folders: [{ path: ".kiro" }],
  files: [
    { name: "agents/*.json", shape: "wrapped" },
    { name: "cli-agents/*.json", shape: "wrapped", place: { path: ".aws/amazonq" } },
  ],
  isEveryFileUsed: true,
  missingFiles: {
    message: "there is no agent file, and Kiro's built-in agents cannot have hooks",
    hint: "create an agent (kiro-cli agent create), make it the default, then run this again",
  },
  events: {
    stop: { mapsTo: ["Stop"] },
    userPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    agentSpawn: { mapsTo: ["SessionStart"] },
    ...onlyIfNamed("preToolUse", "postToolUse"),
  },
  entry: { ...flatEntry, timeout: { key: "timeout_ms", unit: "milliseconds" }, shellOnWindows: "powershell" },
  sample: {
    payload: ({ event, session, cwd }) => ({
      hook_event_name: event,
      session_id: session,
      cwd,
      assistant_response: sampleWords,
    }),
  },
  nextStep: "start a new Kiro session; for an agent that you create later, run hookbell init again",
};
