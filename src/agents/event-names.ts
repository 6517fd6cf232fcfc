// The agents that are known, and the events that they send. Made from the hook setups by `npm run generate`.
export const eventNamesOf: Readonly<Record<string, readonly string[]>> = {
  "droid": ["Notification","PostToolUse","PreCompact","PreToolUse","SessionEnd","SessionStart","Stop","StopFailure","SubagentStop","UserPromptSubmit"],
  "claude-code": ["ConfigChange","CwdChanged","DirectoryAdded","Elicitation","ElicitationResult","FileChanged","InstructionsLoaded","MessageDisplay","Notification","PermissionDenied","PermissionRequest","PostCompact","PostModelSwitch","PostToolBatch","PostToolUse","PostToolUseFailure","PreCompact","PreModelSwitch","PreToolUse","SessionEnd","SessionStart","Setup","Stop","StopFailure","SubagentStart","SubagentStop","TaskCompleted","TaskCreated","TeammateIdle","UserPromptExpansion","UserPromptSubmit"],
  "codex": ["PermissionRequest","PostCompact","PostToolUse","PreCompact","PreToolUse","SessionEnd","SessionStart","Stop","SubagentStart","SubagentStop","UserPromptSubmit"],
  "gemini-cli": ["AfterModel","BeforeModel","BeforeTool","BeforeToolSelection","Notification","PostToolUse","PreCompress","SessionEnd","SessionStart","Stop","StopFailure","UserPromptSubmit"],
  "qwen-code": ["InstructionsLoaded","MessageDisplay","Notification","PermissionDenied","PermissionRequest","PostCompact","PostToolBatch","PostToolUse","PostToolUseFailure","PreCompact","PreToolUse","SessionDelete","SessionEnd","SessionStart","Stop","StopFailure","SubagentStart","SubagentStop","TodoCompleted","TodoCreated","UserPromptExpansion","UserPromptSubmit"],
  "cursor": ["SessionEnd","SessionStart","Stop","StopFailure","SubagentStop","afterAgentResponse","afterFileEdit","afterMCPExecution","afterShellExecution","postToolUse","postToolUseFailure","preCompact","subagentStart"],
  "copilot-cli": ["Notification","PermissionRequest","PostToolUse","PreToolUse","SessionEnd","SessionStart","Stop","StopFailure","SubagentStart","SubagentStop","UserPromptSubmit"],
  "opencode": ["Notification","SessionEnd","SessionStart","Stop","StopFailure","SubagentStop","UserPromptSubmit"],
  "windsurf": ["Stop","UserPromptSubmit"],
  "cline": ["Notification","PostToolUse","PreToolUse","SessionEnd","Stop","StopFailure","SubagentStop","UserPromptSubmit"],
  "goose": ["SessionEnd","Stop","UserPromptSubmit"],
  "kiro": ["SessionStart","Stop","UserPromptSubmit","postToolUse","preToolUse"],
  "kimi-code": ["Notification","PermissionRequest","PostCompact","PostToolUse","PostToolUseFailure","PreCompact","SessionEnd","SessionStart","Stop","StopFailure","SubagentStop","UserPromptSubmit"],
  "pi": ["Notification","SessionEnd","SessionStart","Stop","StopFailure","UserPromptSubmit"],
  "antigravity": ["Stop","StopFailure"],
};

export const agentEventNames: readonly string[] = [...new Set(Object.values(eventNamesOf).flat())].toSorted();

export const agentIds: readonly string[] = [
  "droid",
  "claude-code",
  "codex",
  "gemini-cli",
  "qwen-code",
  "cursor",
  "copilot-cli",
  "opencode",
  "windsurf",
  "cline",
  "goose",
  "kiro",
  "kimi-code",
  "pi",
  "antigravity",
  "vscode",
  "generic",
];
