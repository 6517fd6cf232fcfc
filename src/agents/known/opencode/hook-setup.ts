// How the hooks of opencode are set up, through a plug-in: https://opencode.ai/docs/plugins
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords, type SampleCall } from "../../sample.ts";
import { eventsOfPlugIn, flatEntry, plugInWith, type HookSetup } from "../../hook-setup.ts";
import { opencodePlugIn } from "./plug-in-text.ts";

const sampleProperties: Readonly<Record<string, Payload>> = {
  "session.error": { error: { name: "APIError", data: { message: sampleWords, statusCode: 500 } } },
  "session.status": { status: { type: "busy" } },
  "permission.replied": { reply: "once" },
};

/** An event of opencode's bus; the plug-in makes the payload of it. */
function samplePayload({ event, session }: SampleCall): Payload {
  const question = { id: session, permission: "bash", patterns: [sampleWords], questions: [{ question: sampleWords }] };
  const isQuestion = /asked$|updated$/.test(event);
  const info = event === "session.deleted" ? { info: { id: session } } : {};
  return {
    type: event,
    properties: { sessionID: session, ...(isQuestion ? question : {}), ...info, ...sampleProperties[event] },
  };
}

export const opencodeHookSetup: HookSetup = {
  programs: ["opencode"],
  tested: "1.18.33",
  folders: [{ path: ".config/opencode", moved: { env: "XDG_CONFIG_HOME", into: "opencode" } }],
  files: [],
  ownFiles: [
    {
      name: () => "plugins/hookbell.js",
      comment: "//",
      text: (call) => plugInWith(opencodePlugIn, call),
      eventsIn: eventsOfPlugIn,
    },
  ],
  events: {
    "session.idle": { mapsTo: ["Stop", "SubagentStop"] },
    "session.error": { mapsTo: ["StopFailure"] },
    "permission.asked": { mapsTo: ["Notification"], isAnswerable: "question" },
    // The names in releases before 1.1, and maybe from 2 on.
    "permission.updated": { mapsTo: ["Notification"] },
    "permission.v2.asked": { mapsTo: ["Notification"] },
    "question.asked": { mapsTo: ["Notification"], isAnswerable: "question" },
    "question.v2.asked": { mapsTo: ["Notification"] },
    // The question is answered.
    "permission.replied": { mapsTo: [], isSupporting: true },
    "question.replied": { mapsTo: [], isSupporting: true },
    "question.rejected": { mapsTo: [], isSupporting: true },
    // The start of a turn, and a model that cannot be reached.
    "session.status": { mapsTo: ["UserPromptSubmit", "Notification"], isSupporting: true },
    "session.deleted": { mapsTo: ["SessionEnd"], isSupporting: true },
    "session.created": { mapsTo: ["SessionStart"] },
  },
  entry: flatEntry,
  sample: { payload: samplePayload },
  notificationTypes: {
    permission_prompt: "with a question",
    elicitation_dialog: "with a question that has choices",
    retry: "the model's servers refuse, and opencode tries again; once a turn",
  },
  nextStep: "restart opencode: it loads plug-ins when it starts",
};
