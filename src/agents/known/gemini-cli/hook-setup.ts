// How the hooks of Gemini CLI are set up: https://geminicli.com/docs/hooks/reference
import { claudeSample, sampleWords } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

export const geminiCliHookSetup: HookSetup = {
  programs: ["gemini"],
  tested: "0.61.0",
  folders: [{ path: ".gemini", moved: { env: "GEMINI_CLI_HOME", into: ".gemini" } }],
  files: [
    {
      name: "settings.json",
      shape: "wrapped",
      allowsComments: true,
      offSwitch: ["hooksConfig", "enabled"],
      offValue: false,
    },
  ],
  defaultFile: "settings.json",
  // Older releases have switches beside the events.
  takesOtherMembers: true,
  events: {
    Notification: { mapsTo: ["Notification"] },
    AfterAgent: { mapsTo: ["Stop", "StopFailure"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    BeforeAgent: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    AfterTool: { mapsTo: ["PostToolUse"], isOnlyIfNamed: true },
    ...onlyIfNamed("BeforeTool", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"),
  },
  entry: {
    ...claudeEntry,
    timeout: { key: "timeout", unit: "milliseconds" },
    shell: "bash",
    expandsHome: true,
    shellOnWindows: "powershell",
  },
  sample: {
    payload: claudeSample(({ at }) => ({ timestamp: at }), {
      Notification: {
        notification_type: "ToolPermission",
        message: sampleWords,
        details: { type: "exec", title: sampleWords },
      },
      AfterAgent: { prompt: sampleWords, prompt_response: sampleWords, stop_hook_active: false },
      SessionEnd: { reason: "exit" },
      BeforeAgent: { prompt: sampleWords },
    }),
    projectVariables: ["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"],
  },
  managed: {
    files: {
      linux: ["/etc/gemini-cli/settings.json"],
      darwin: ["/Library/Application Support/GeminiCli/settings.json"],
      win32: ["C:\\ProgramData\\gemini-cli\\settings.json"],
    },
    moved: "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    switches: [{ member: ["hooksConfig", "enabled"], value: false }],
  },
  nextStep: "restart Gemini CLI: it reads its settings when it starts",
  notificationTypes: { permission_prompt: "with a question (the agent calls it `ToolPermission`)" },
  ownNotifications: [
    {
      file: "settings.json",
      member: ["general", "enableNotifications"],
      isOnByDefault: false,
      quiet: [false],
      text: 'Gemini CLI also sends its own notifications; to stop that, set "enableNotifications": false under "general"',
    },
  ],
};
