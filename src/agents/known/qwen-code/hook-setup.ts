// How the hooks of Qwen Code are set up: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
import { claudeSample } from "../../sample.ts";
import { claudeEntry, onlyIfNamed, type HookSetup } from "../../hook-setup.ts";

/** Timeouts are milliseconds before 1.0, and later from 1000 on, so 10000 is ten seconds in all releases. */
export const qwenCodeHookSetup: HookSetup = {
  programs: ["qwen"],
  tested: "0.24.4",
  folders: [{ path: ".qwen", moved: { env: "QWEN_HOME" } }],
  files: [{ name: "settings.json", shape: "wrapped", allowsComments: true, offSwitch: ["disableAllHooks"] }],
  defaultFile: "settings.json",
  takesOtherMembers: true,
  events: {
    // This one has the tool's input; the Notification for the same question names the tool alone.
    PermissionRequest: { mapsTo: ["PermissionRequest"], alsoFor: ["Notification"], isAnswerable: "question" },
    Notification: { mapsTo: ["Notification"] },
    Stop: { mapsTo: ["Stop"] },
    StopFailure: { mapsTo: ["StopFailure"] },
    SubagentStop: { mapsTo: ["SubagentStop"], alsoFor: ["SubagentStart"] },
    SessionEnd: { mapsTo: ["SessionEnd"], isSupporting: true },
    UserPromptSubmit: { mapsTo: ["UserPromptSubmit"], isSupporting: true },
    SessionStart: { mapsTo: ["SessionStart"] },
    // These are all others of 0.24.4. It warns the user of any name that it does not know, so the events that only the
    // reference of 1.x lists (https://qwenlm.github.io/qwen-code-docs/1.x/en/users/hooks-reference) are not here.
    ...onlyIfNamed(
      "SessionDelete",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PostToolBatch",
      "UserPromptExpansion",
      "InstructionsLoaded",
      "PermissionDenied",
      "SubagentStart",
      "TodoCreated",
      "TodoCompleted",
      "PreCompact",
      "PostCompact",
      "MessageDisplay",
    ),
  },
  entry: {
    ...claudeEntry,
    timeout: { key: "timeout", unit: "milliseconds" },
    http: { except: [] },
    expandsHome: true,
    // Without the member, it is the shell that started Qwen Code.
    shellOnWindows: "powershell",
    extraOnWindows: { shell: "powershell" },
  },
  sample: {
    payload: claudeSample(({ at }) => ({ timestamp: at, permission_mode: "default" })),
    projectVariables: ["QWEN_PROJECT_DIR"],
  },
  managed: {
    files: {
      linux: ["/etc/qwen-code/settings.json"],
      darwin: ["/Library/Application Support/QwenCode/settings.json"],
      win32: ["C:\\ProgramData\\qwen-code\\settings.json"],
    },
    moved: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    switches: [{ member: ["disableAllHooks"], value: true }],
  },
  nextStep: "restart Qwen Code: it reads its settings when it starts",
  notificationTypes: {
    permission_prompt: "with a question",
    idle_prompt: "60 seconds after the last input",
    auth_success: "after a login, at every start without a terminal",
  },
  ownNotifications: [
    {
      file: "settings.json",
      member: ["general", "terminalBell"],
      isOnByDefault: false,
      quiet: [false],
      text: 'Qwen Code also rings the terminal bell; to stop that, set "terminalBell": false under "general"',
    },
  ],
};
