// How the hooks of Cursor are set up: https://cursor.com/docs/hooks
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords } from "../../sample.ts";
import { flatEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

const sampleFields: Readonly<Record<string, Payload>> = {
  stop: { status: "completed", loop_count: 0 },
  subagentStop: { subagent_type: "explore", status: "completed", summary: sampleWords, duration_ms: 1 },
  sessionEnd: { reason: "completed", final_status: "completed" },
};

/** Events that wait for an answer of the hook get none. */
export const cursorHookSetup: HookSetup = {
  programs: ["cursor", "cursor-agent"],
  folders: [{ path: ".cursor" }],
  files: [{ name: "hooks.json", shape: "wrapped", required: { version: 1 } }],
  defaultFile: "hooks.json",
  events: {
    stop: { mapsTo: ["Stop", "StopFailure"] },
    subagentStop: { mapsTo: ["SubagentStop"], alsoFor: ["subagentStart"] },
    sessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    sessionStart: { mapsTo: ["SessionStart"] },
    ...onlyIfNamed(
      "subagentStart",
      "postToolUse",
      "postToolUseFailure",
      "afterShellExecution",
      "afterMCPExecution",
      "afterFileEdit",
      "afterAgentResponse",
      "preCompact",
    ),
  },
  entry: { ...flatEntry, timeout: { key: "timeout", unit: "seconds" } },
  sample: {
    payload: ({ event, session, cwd }) => ({
      conversation_id: session,
      generation_id: "g1",
      hook_event_name: event,
      cursor_version: "0.0.0",
      workspace_roots: [cwd],
      ...sampleFields[event],
    }),
    projectVariables: ["CURSOR_PROJECT_DIR"],
  },
  imports: ["claude-code"],
  nextStep: "Cursor reloads the file by itself; if it does not, restart it",
  isReloading: true,
};
