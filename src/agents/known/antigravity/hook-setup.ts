// How the hooks of Antigravity CLI (`agy`) are set up: https://antigravity.google/docs/hooks
import type { HookSetup } from "../../hook-setup.ts";

/**
 * Only Stop has a hook. PreToolUse takes an answer without a decision for a refusal, and a hook of PreInvocation that fails
 * ends the turn; hookbell answers nothing.
 */
export const antigravityHookSetup: HookSetup = {
  programs: ["agy"],
  folders: [{ path: ".gemini/config", sign: { path: ".gemini/antigravity-cli" } }],
  files: [
    { name: "hooks.json", shape: "wrapped", hooksKey: "hookbell", offSwitch: ["hookbell", "enabled"], offValue: false },
  ],
  defaultFile: "hooks.json",
  events: { Stop: { mapsTo: ["Stop", "StopFailure"] } },
  entry: { layout: "flat", hasType: true, commandKey: "command", timeout: { key: "timeout", unit: "seconds" } },
  sample: {
    payload: ({ session, cwd }) => ({
      conversationId: session,
      workspacePaths: [cwd],
      transcriptPath: `${cwd}/transcript.jsonl`,
      artifactDirectoryPath: cwd,
      modelName: "gemini",
      executionNum: 0,
      terminationReason: "NO_TOOL_CALL",
      fullyIdle: true,
      error: "",
    }),
  },
  nextStep: "restart Antigravity CLI; its command /hooks lists what it has loaded",
};
