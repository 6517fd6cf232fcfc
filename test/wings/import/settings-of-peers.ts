// Settings as these tools and their installers write them, by their documentation of the version that is named.

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const file = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const peonHook = command("{home}/.claude/hooks/peon-ping/peon.sh", { timeout: 10, async: true });
const handleUse = command("{home}/.claude/hooks/peon-ping/scripts/hook-handle-use.sh", { timeout: 5 });
const anotifierScript = "{home}/.npm/lib/node_modules/anotifier/src/notify.mjs";
const codeNotify = "/usr/local/lib/node_modules/code-notify/lib/code-notify/core/notifier.sh";

export const settingsOfPeers = {
  /** 2.35: https://github.com/PeonPing/peon-ping#configuration */
  "peon-ping": {
    ".claude/hooks/peon-ping/config.json": file({
      default_pack: "glados",
      volume: 0.3,
      enabled: true,
      desktop_notifications: true,
      categories: { "session.start": false, "task.complete": true, "input.required": true },
      silent_window_seconds: 10,
      suppress_subagent_complete: true,
      meeting_detect: true,
      exclude_dirs: ["~/scratch"],
      mobile_notify: { enabled: true, service: "ntfy", topic: "peon-secret-topic", server: "https://ntfy.sh" },
    }),
    ".claude/settings.json": file({
      model: "opus",
      hooks: {
        SessionStart: [{ matcher: "", hooks: [{ ...peonHook, async: undefined }] }],
        UserPromptSubmit: [
          { matcher: "", hooks: [peonHook] },
          { matcher: "", hooks: [handleUse] },
        ],
        Stop: [
          { hooks: [command("~/bin/mine.sh | ~/.claude/hooks/peon-ping/peon.sh")] },
          { matcher: "", hooks: [peonHook] },
        ],
        PostToolUseFailure: [{ matcher: "Bash", hooks: [peonHook] }],
      },
    }),
  },
  /** 1.12: https://github.com/mylee04/code-notify#how-it-works */
  "code-notify": {
    ".claude/notifications/notify-types": "idle_prompt|permission_prompt|SubagentStop\n",
    ".claude/notifications/sound-enabled": "",
    ".config/code-notify/channels.json": file({
      enabled: true,
      channels: [{ name: "team", provider: "slack", url: "https://hooks.slack.com/services/T0/B0/made-up" }],
    }),
    ".claude/settings.json": file({
      hooks: {
        Notification: [
          { matcher: "idle_prompt|permission_prompt", hooks: [command(`${codeNotify} notification claude`)] },
        ],
        Stop: [{ matcher: "", hooks: [command(`${codeNotify} stop claude`)] }],
        SubagentStop: [{ matcher: "", hooks: [command(`${codeNotify} SubagentStop claude`)] }],
      },
    }),
    ".gemini/settings.json": file({
      tools: { enableHooks: true },
      hooks: {
        enabled: true,
        AfterAgent: [
          { matcher: "", hooks: [{ name: "code-notify-complete", ...command(`${codeNotify} stop gemini`) }] },
        ],
      },
    }),
  },
  /** 1.5: https://github.com/DevinoSolutions/anotifier-for-claude-codex-cursor#configuration */
  anotifier: {
    ".anotifier/config.json": file({
      ntfy: { enabled: true, server: "https://ntfy.sh", topic: "anotifier-madeup", click: "", richContent: false },
      toast: { enabled: true, clickToFocus: true, richContent: true },
      terminalBell: { enabled: false },
      webhook: {
        enabled: true,
        url: "https://api.telegram.org/bot123456789:AAmade-up_made-up_made-up_made-up_00/sendMessage",
        format: "telegram",
        chatId: "123456789",
      },
      usageAlerts: { enabled: true, thresholds: [70, 85, 95] },
      contextAlerts: { enabled: false, threshold: 85 },
      quietHours: { enabled: true, from: "22:00", to: "08:00" },
      events: {
        task_complete: { toastSound: "IM", priority: "default", webhookEnabled: false },
        needs_input: { toastSound: "Reminder", priority: "urgent" },
        session_start: { priority: "low", toastEnabled: false, ntfyEnabled: false, terminalBellEnabled: false },
      },
    }),
    ".claude/settings.json": file({
      hooks: Object.fromEntries(
        ["Notification", "Stop"].map((event) => [
          event,
          [
            {
              hooks: [command(`node "${anotifierScript}" --source claude`, { timeout: 10 })],
              _managed_by: "anotifier",
              matcher: "",
            },
          ],
        ]),
      ),
      statusLine: command(`node "{home}/.npm/lib/node_modules/anotifier/src/statusline.mjs"`),
    }),
    ".codex/hooks.json": file({
      hooks: { Stop: [{ hooks: [command(`node "${anotifierScript}" --source codex --event Stop`)] }] },
    }),
    ".cursor/hooks.json": file({
      version: 1,
      hooks: { stop: [{ command: `node "${anotifierScript}" --source cursor --event stop` }] },
    }),
  },
  /** September 2025: https://github.com/dazuiba/CCNotify#installation-guide */
  ccnotify: {
    ".claude/settings.json": file({
      hooks: Object.fromEntries(
        ["UserPromptSubmit", "Stop", "Notification"].map((event) => [
          event,
          [{ hooks: [command(`~/.claude/ccnotify/ccnotify.py ${event}`)] }],
        ]),
      ),
    }),
  },
} satisfies Record<string, Record<string, string>>;
