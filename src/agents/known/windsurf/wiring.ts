import { sampleWords } from "../../sample.ts";
import { usualTimeoutSeconds, type Wiring } from "../../wiring.ts";

/** How Windsurf is wired: https://docs.windsurf.com/windsurf/cascade/hooks. It knows no timeouts. */
export const windsurfWiring: Wiring = {
  programs: ["windsurf"],
  folders: [{ path: ".codeium/windsurf" }],
  files: [{ name: "hooks.json", shape: "wrapped", allowsComments: false, allowsByteOrderMark: false }],
  defaultFile: "hooks.json",
  soundEvents: "all",
  hasSoundGroups: false,
  events: {
    post_cascade_response: { mapsTo: ["Stop"] },
    pre_user_prompt: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
  },
  timeoutSeconds: usualTimeoutSeconds,
  entry: {
    layout: "flat",
    hasType: false,
    commandKey: "command",
    extra: { show_output: false },
  },
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
