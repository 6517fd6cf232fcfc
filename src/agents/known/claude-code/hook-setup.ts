// How the hooks of Claude Code are set up: https://code.claude.com/docs/en/hooks
import { claudeSample } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

export const claudeCodeHookSetup: HookSetup = {
  programs: ["claude"],
  tested: "2.1.332",
  folders: [{ path: ".claude", moved: { env: "CLAUDE_CONFIG_DIR" } }],
  files: [{ name: "settings.json", shape: "wrapped", allowsByteOrderMark: true, offSwitch: ["disableAllHooks"] }],
  defaultFile: "settings.json",
  events: {
    // This one comes at once and with the tool's input; the Notification comes six seconds later without it.
    PermissionRequest: { mapsTo: ["PermissionRequest"], alsoFor: ["Notification"], isAnswerable: "question" },
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"], isAnswerable: "prompt" },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"], alsoFor: ["SubagentStart"] },
    // Claude Code kills a SessionEnd hook without a timeout after 1.5 s.
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    // These events give a turn's duration, and retract an answered question.
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    Elicitation: { mapsTo: ["Elicitation"], isOnlyIfNamed: true, isAnswerable: "question" },
    // All others of 2.1.332, but for WorktreeCreate and WorktreeRemove, whose hooks do the work.
    ...onlyIfNamed(
      "PreToolUse",
      // A skill's command runs unless the hook prints a decision.
      "PreSkillShellCommand",
      "PostToolUse",
      "PostToolUseFailure",
      "PostToolBatch",
      "PermissionDenied",
      "SubagentStart",
      "TaskCreated",
      "TaskCompleted",
      "TeammateIdle",
      "ElicitationResult",
      "PreCompact",
      "PostCompact",
      "PreModelSwitch",
      "PostModelSwitch",
      "UserPromptExpansion",
      "Setup",
      "ConfigChange",
      "InstructionsLoaded",
      "CwdChanged",
      "FileChanged",
      "DirectoryAdded",
      "MessageDisplay",
    ),
  },
  entry: {
    ...claudeEntry,
    expandsHome: true,
    http: { except: ["SessionStart", "Setup"] },
    // Claude Code takes Git Bash where Git is installed, else PowerShell.
    shellOnWindows: "none",
  },
  sample: {
    payload: claudeSample(),
    projectVariables: ["CLAUDE_PROJECT_DIR"],
    variables: () => ({ CLAUDECODE: "1" }),
  },
  managed: {
    files: {
      linux: ["/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/"],
      darwin: [
        "/Library/Application Support/ClaudeCode/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.d/",
      ],
      win32: [
        "C:\\Program Files\\ClaudeCode\\managed-settings.json",
        "C:\\Program Files\\ClaudeCode\\managed-settings.d\\",
      ],
    },
    switches: [
      { member: ["allowManagedHooksOnly"], value: true },
      { member: ["disableAllHooks"], value: true },
    ],
  },
  nextStep: "Claude Code reloads its settings; nothing to do",
  isReloading: true,
  notificationTypes: {
    permission_prompt: "about six seconds after a question that is still open",
    worker_permission_prompt: "a teammate asks for a permission",
    elicitation_dialog: "an MCP server asks, after about six seconds",
    elicitation_url_dialog: "an MCP server asks to open a page, after about six seconds",
    elicitation_complete: "an MCP server says that a question is done",
    elicitation_response: "a question of an MCP server is answered",
    idle_prompt: "60 seconds after the end of a turn",
    agent_needs_input: "an agent in the agent view has a question",
    agent_completed: "an agent in the agent view has finished or failed",
    auth_success: "after a login",
    auth_storage_failure: "the login could not be saved",
    push_notification: "the model sends you a message",
    plugin_notification: "a plug-in sends you a message",
    computer_use_enter: "the model starts to use the computer",
    computer_use_exit: "the model has finished using the computer",
    quota_auto_resume_fired: "the usage limit has reset, and the task goes on",
    quota_auto_resume_stale: "the usage limit has reset, and the task waits for Enter",
    quota_auto_resume_disabled: "the task will not go on after the usage limit",
    model_refusal_fallback: "another model takes over after a refusal",
  },
  // https://code.claude.com/docs/en/settings
  questionTimeout: { file: "settings.json", member: ["askUserQuestionTimeout"] },
  ownNotifications: [
    {
      file: "settings.json",
      member: ["preferredNotifChannel"],
      // Beside the folder, or in it where CLAUDE_CONFIG_DIR moved it.
      olderFiles: ["../.claude.json", ".claude.json"],
      isOnByDefault: true,
      quiet: ["notifications_disabled"],
      text: 'Claude Code may also send its own notifications; to stop that, set "preferredNotifChannel": "notifications_disabled"',
    },
  ],
};
