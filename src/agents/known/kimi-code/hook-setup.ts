// How the hooks of Kimi Code are set up: https://moonshotai.github.io/kimi-code/en/customization/hooks
import { claudeSample, sampleWords } from "../../sample.ts";
import { flatEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

/**
 * One event that a release does not know makes it refuse the whole file, so only those of 0.20 are here. 2.0 has four
 * more: UserPromptQueued, TurnStarted, TaskStarted and SessionHeartbeat.
 */
export const kimiCodeHookSetup: HookSetup = {
  programs: ["kimi"],
  tested: "2.1.0",
  folders: [{ path: ".kimi-code", moved: { env: "KIMI_CODE_HOME" } }],
  files: [{ name: "config.toml", shape: "tables", allowsComments: true }],
  defaultFile: "config.toml",
  takesOtherMembers: true,
  events: {
    PermissionRequest: { mapsTo: ["PermissionRequest"] },
    // A question with choices starts this event alone. Other tools start it before anyone is asked.
    PreToolUse: { mapsTo: ["PermissionRequest"], matcher: "^AskUserQuestion$" },
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"], isSupporting: true },
    // While a subagent runs, a Stop may be the subagent's.
    SubagentStart: { mapsTo: [], isSupporting: true },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    // These events end a question, and a turn that has no Stop.
    PermissionResult: { mapsTo: [], isSupporting: true },
    Interrupt: { mapsTo: [], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    ...onlyIfNamed("PostToolUse", "PostToolUseFailure", "PreCompact", "PostCompact"),
  },
  entry: { ...flatEntry, timeout: { key: "timeout", unit: "seconds" }, expandsHome: true, shellOnWindows: "cmd" },
  sample: {
    payload: claudeSample(() => ({ transcript_path: undefined, client_type: "kimi_code_cli" }), {
      Notification: { notification_type: "task.completed", title: sampleWords, body: sampleWords },
      PermissionRequest: { tool_name: "Bash", tool_input: { command: "true", description: sampleWords } },
      PreToolUse: { tool_name: "AskUserQuestion", tool_input: { questions: [{ question: sampleWords }] } },
      Stop: { stop_hook_active: false },
      StopFailure: { error_type: "APIStatusError", error_message: sampleWords },
      SubagentStart: { agent_name: "coder", prompt: sampleWords },
      SubagentStop: { agent_name: "coder", response: sampleWords },
      SessionEnd: { reason: "exit" },
      UserPromptSubmit: { prompt: [{ type: "text", text: sampleWords }], is_steer: false },
    }),
  },
  nextStep: "restart Kimi Code: it reads its settings when it starts",
  notificationTypes: {
    task_completed: "a background task is done",
    task_failed: "a background task failed",
    task_timed_out: "a background task took too long",
    task_killed: "a background task was stopped",
    task_lost: "a background task ended with the program",
  },
};
