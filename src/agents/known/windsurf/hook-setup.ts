// How the hooks of Windsurf are set up: https://docs.windsurf.com/windsurf/cascade/hooks
import { sampleWords } from "../../sample.ts";
import { flatEntry, type HookSetup } from "../../hook-setup.ts";

export const windsurfHookSetup: HookSetup = {
  programs: ["windsurf"],
  folders: [{ path: ".codeium/windsurf" }],
  files: [{ name: "hooks.json", shape: "wrapped" }],
  defaultFile: "hooks.json",
  events: {
    post_cascade_response: { mapsTo: ["Stop"] },
    pre_user_prompt: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  entry: { ...flatEntry, extra: { show_output: false } },
  sample: {
    payload: ({ event, session, cwd, at }) => ({
      agent_action_name: event,
      trajectory_id: session,
      execution_id: "e1",
      timestamp: at,
      tool_info: { cwd, response: sampleWords, user_prompt: sampleWords },
    }),
  },
  nextStep: "restart Windsurf",
};
