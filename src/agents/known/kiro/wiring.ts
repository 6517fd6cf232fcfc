import { sampleWords } from "../../sample.ts";
import { usualTimeoutSeconds, type Wiring, type WiringFile } from "../../wiring.ts";

const agentFile: Omit<WiringFile, "name"> = { shape: "wrapped", allowsComments: false, allowsByteOrderMark: false };

/**
 * How Kiro CLI and Amazon Q are wired: https://kiro.dev/docs/cli/hooks. Hooks stand in each agent's own file, so every one
 * of them is wired; the built-in agents have no file and cannot be.
 */
export const kiroWiring: Wiring = {
  programs: ["kiro-cli", "q"],
  folders: [{ path: ".kiro" }],
  files: [
    { ...agentFile, name: "agents/*.json" },
    { ...agentFile, name: "cli-agents/*.json", place: { path: ".aws/amazonq" } },
  ],
  isEveryFileWired: true,
  missingFiles: {
    message: "there is no agent file here, and Kiro's built-in agents cannot have hooks",
    hint: "make an agent of your own (kiro-cli agent create) and make it the default one, then run this again",
  },
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    stop: { mapsTo: ["Stop"] },
    userPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: {
    layout: "flat",
    hasType: false,
    commandKey: "command",
    timeout: { key: "timeout_ms", unit: "milliseconds" },
  },
  sample: {
    payload: ({ event, session, cwd }) => ({
      hook_event_name: event,
      session_id: session,
      cwd,
      assistant_response: sampleWords,
    }),
  },
  nextStep: "start a new Kiro session; an agent made later needs hookbell init again",
};
