/** One payload of each of the four events, in the form in which Droid sends them. */
const session = { session_id: "b7f1c0de-demo", cwd: "/home/you/shop-web", permission_mode: "auto-low" };

export const payloads: readonly Record<string, unknown>[] = [
  {
    ...session,
    hook_event_name: "Notification",
    message: "Droid needs your permission to run: npm publish",
    notification_type: "permission_prompt",
  },
  { ...session, hook_event_name: "SubagentStop", task_name: "review", task_result: "Two tests are missing." },
  { ...session, hook_event_name: "Stop", last_assistant_message: "All 214 tests pass.", elapsed_time: 187_000 },
  { ...session, hook_event_name: "SessionEnd", reason: "error" },
];
