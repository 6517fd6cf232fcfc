// How the hooks of Copilot CLI are set up: https://docs.github.com/en/copilot/reference/hooks-reference
import { claudeSample, sampleQuestion, sampleWords } from "../../sample.ts";
import { onlyIfNamed, questionTool, type HookSetup } from "../../hook-setup.ts";

const sampleInSnakeCase = claudeSample(
  ({ event, session, cwd, at }) => ({
    ...sampleQuestion(event, "ask_user"),
    timestamp: at,
    transcript_path: `${cwd}/session-state/${session}/events.jsonl`,
  }),
  {
    Stop: { stop_reason: "end_turn", stop_hook_active: false },
    SubagentStop: { agent_id: "a1", agent_type: "explore", agent_name: "explore", stop_hook_active: false },
    ErrorOccurred: { error: { name: "Error", message: sampleWords }, error_context: "model_call", recoverable: false },
    SessionEnd: { reason: "complete" },
    UserPromptSubmit: { prompt: sampleWords },
  },
);

/** Copilot reads every file in its folder. Event names in PascalCase give Claude Code's fields. */
export const copilotCliHookSetup: HookSetup = {
  programs: ["copilot"],
  tested: "1.0.102",
  folders: [{ path: ".copilot", moved: { env: "COPILOT_HOME" } }],
  files: [{ name: "hooks/hookbell.json", shape: "wrapped", offSwitch: ["disableAllHooks"], required: { version: 1 } }],
  defaultFile: "hooks/hookbell.json",
  events: {
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    SubagentStop: { mapsTo: ["SubagentStop"], alsoFor: ["SubagentStart"] },
    ErrorOccurred: { mapsTo: ["StopFailure"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    // PermissionRequest is sent also for tools that Copilot's rules allow; the Notification names the command.
    ...onlyIfNamed("PermissionRequest", "SubagentStart"),
    // Its own questions start no Notification: https://github.com/github/copilot-cli/issues/1128
    ...questionTool("ask_user"),
  },
  entry: {
    layout: "flat",
    hasType: true,
    commandKey: "bash",
    timeout: { key: "timeoutSec", unit: "seconds" },
    shell: "bash",
    expandsHome: true,
    commandKeyOnWindows: "powershell",
    shellOnWindows: "powershell",
    // Copilot posts to https addresses only.
    http: { except: [] },
  },
  sample: {
    // Notification mixes both cases, the other events are in snake case.
    payload: (call) =>
      call.event === "Notification"
        ? {
            sessionId: call.session,
            timestamp: Date.parse(call.at),
            cwd: call.cwd,
            hook_event_name: call.event,
            message: sampleWords,
            title: sampleWords,
            notification_type: "permission_prompt",
          }
        : sampleInSnakeCase(call),
  },
  managed: {
    files: { linux: ["/etc/github-copilot/policy.d/"], win32: ["C:\\ProgramData\\GitHub\\Copilot\\policy.d\\"] },
    switches: [
      { member: ["disableAllHooks"], value: true },
      { member: ["allowManagedHooksOnly"], value: true },
    ],
  },
  notificationTypes: {
    permission_prompt: "with a question",
    elicitation_dialog: "an MCP server asks",
    agent_idle: "an agent in the background waits",
    agent_completed: "an agent in the background is done",
    shell_completed: "a command in the background is done",
    shell_detached_completed: "a detached command is done",
  },
  nextStep: "restart Copilot CLI: it reads its hooks when it starts",
};
