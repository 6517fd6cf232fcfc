// How the hooks of pi are set up, through an extension: https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords } from "../../sample.ts";
import { eventsOfPlugIn, flatEntry, plugInWith, type HookSetup } from "../../hook-setup.ts";
import { piPlugIn } from "./plug-in-text.ts";

const sampleFields: Readonly<Record<string, Payload>> = {
  agent_settled: { aborted: false, last_assistant_message: sampleWords },
  ui_prompt_start: { kind: "select", message: sampleWords },
  ui_prompt_end: { kind: "select" },
  input: { prompt: sampleWords, source: "interactive" },
  session_start: { reason: "startup" },
  session_shutdown: { reason: "quit" },
};

export const piHookSetup: HookSetup = {
  programs: ["pi"],
  tested: "1.6.0",
  folders: [{ path: ".pi/agent", moved: { env: "PI_CODING_AGENT_DIR" } }],
  files: [],
  ownFiles: [
    {
      name: () => "extensions/hookbell.js",
      comment: "//",
      text: (call) => plugInWith(piPlugIn, call),
      eventsIn: eventsOfPlugIn,
    },
  ],
  events: {
    agent_settled: { mapsTo: ["Stop", "StopFailure"] },
    ui_prompt_start: { mapsTo: ["Notification"] },
    // The question is answered.
    ui_prompt_end: { mapsTo: [], isSupporting: true },
    input: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    session_shutdown: { mapsTo: ["SessionEnd"], isSupporting: true },
    session_start: { mapsTo: ["SessionStart"] },
  },
  entry: flatEntry,
  sample: {
    payload: ({ event, session, cwd }) => ({
      agent: "pi",
      type: event,
      session_id: session,
      cwd,
      mode: "tui",
      ...sampleFields[event],
    }),
  },
  notificationTypes: { elicitation_dialog: "an extension or a tool of one asks" },
  nextStep: "restart pi, or say /reload in it: it loads extensions when it starts",
};
