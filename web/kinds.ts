// What the kinds of events are called; others are shown by their own names.

const kinds: Readonly<Record<string, string>> = {
  Stop: "turn ended",
  StopFailure: "turn failed",
  PermissionRequest: "asked permission",
  Notification: "notification",
  SubagentStop: "subagent ended",
  SessionStart: "session started",
  SessionEnd: "session ended",
  UserPromptSubmit: "your prompt",
};

export function kindOf(name: string): string {
  return Object.hasOwn(kinds, name) ? (kinds[name] ?? name) : name;
}
