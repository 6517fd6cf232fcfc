// How the hooks of Auggie, Augment's command line, are set up: https://docs.augmentcode.com/cli/hooks
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

const sampleFields: Readonly<Record<string, Payload>> = {
  Stop: { agent_stop_cause: "end_turn", _exchange: { exchange: { response_text: sampleWords } } },
  PromptSubmit: { user_prompt: sampleWords },
  PreToolUse: { tool_name: "launch-process", tool_input: { command: "true" } },
  PostToolUse: { tool_name: "launch-process", tool_input: { command: "true" }, tool_output: sampleWords },
};

/** For one event that it does not know, Auggie refuses the file; its `Notification` is never sent. */
export const auggieHookSetup: HookSetup = {
  programs: ["auggie"],
  tested: "0.36.0",
  folders: [{ path: ".augment" }],
  files: [{ name: "settings.json", shape: "wrapped" }],
  defaultFile: "settings.json",
  events: {
    Stop: { mapsTo: ["Stop", "StopFailure"] },
    PromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    ...onlyIfNamed("PreToolUse", "PostToolUse"),
  },
  // It starts a program without a shell.
  entry: { ...claudeEntry, hasArgs: true, timeout: { key: "timeout", unit: "milliseconds" } },
  sample: {
    payload: ({ event, session, cwd }) => ({
      hook_event_name: event,
      conversation_id: session,
      workspace_roots: [cwd],
      ...sampleFields[event],
    }),
  },
  nextStep: "restart Auggie; it runs hooks only where Augment has switched them on for your account (/hooks shows it)",
};
