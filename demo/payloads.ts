/** A session of Claude Code: it asks, a subagent ends, the turn ends, and the session breaks off. */
const session = { session_id: "b7f1c0de-demo", cwd: "/home/you/shop-web", permission_mode: "default" };

export const question: Readonly<Record<string, unknown>> = {
  ...session,
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "npm publish", description: "Publish the package" },
};

export const payloads: readonly Record<string, unknown>[] = [
  question,
  { ...session, hook_event_name: "SubagentStop", agent_id: "a1", agent_type: "review" },
  {
    ...session,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "Version 2.4.0 is published.",
    background_tasks: [],
  },
  { ...session, hook_event_name: "SessionEnd", reason: "error" },
];
