// Agents that have another agent's hooks in a place of their own: one row each. All of it is from documentation and from what people
// have published; docs/reference/AGENTS.md says what each row rests on.
import type { FolderPlace, Payload } from "../dialect/agent.ts";
import { textOf } from "../../model/json.ts";
import type { WindowsShell } from "../hook-setup.ts";

export interface FamilyRow {
  name: string;
  docs: string;
  /** Whose hooks it has: the shape of the settings, the names of events, the fields of payloads. */
  form: "claude-code" | "gemini-cli";
  programs: readonly string[];
  folder: FolderPlace;
  file: string;
  /** What the file must have at its top. */
  required?: Readonly<Record<string, unknown>>;
  /** The member that switches all hooks off, and its value. */
  off?: { member: readonly string[]; value: boolean };
  /** Its own names. */
  events: readonly string[];
  /** Ours for those that differ. */
  eventNames?: Readonly<Record<string, string>>;
  /** The unit of `timeout`. */
  timeout: "seconds" | "milliseconds";
  /** The shell that runs the command: `sh` by default; `login` is the user's own. */
  shell?: "bash" | "login";
  /** Default: `any`. */
  shellOnWindows?: WindowsShell;
  /** Variables that it sets for hooks, and for nothing else. */
  hookVariables?: readonly string[];
  /** Variables that hold the project's folder. */
  projectVariables?: readonly string[];
  /** It writes keys in camelCase and names of events in snake_case. */
  isCamelCase?: true;
  /** The fields in which it has what ours are for, the best one first; with none, ours means something else there. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** What an event is where a field has one of these values. */
  exceptions?: readonly Exception[];
  /** What the payload proves, as `Agent.isAuthor`. */
  isAuthor?(payload: Payload, calledAs: string | undefined): boolean;
  /** It also runs the hooks of these agents. */
  imports?: readonly string[];
  nextStep: string;
}

interface Exception {
  /** Its name of the event. */
  event: string;
  field: string;
  values: readonly string[];
  /** hookbell's name for it. */
  name?: string;
  /** The user ended the turn, which is told to no one. */
  isByUser?: true;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

const familyOf = <Id extends string>(rows: Record<Id, FamilyRow>): Readonly<Record<Id, FamilyRow>> => rows;

export const familyRows = familyOf({
  grok: {
    name: "Grok Build",
    docs: "https://docs.x.ai/build/features/hooks",
    form: "claude-code",
    programs: ["grok"],
    folder: { path: ".grok", moved: { env: "GROK_HOME" } },
    file: "hooks/hookbell.json",
    events: words(`
      Notification Stop StopFailure StopCancelled SubagentStop SessionEnd UserPromptSubmit SessionStart
      PreToolUse PostToolUse PostToolUseFailure PermissionDenied SubagentStart PreCompact PostCompact
    `),
    eventNames: { StopCancelled: "Stop" },
    timeout: "seconds",
    hookVariables: ["GROK_HOOK_EVENT"],
    projectVariables: ["GROK_WORKSPACE_ROOT", "CLAUDE_PROJECT_DIR"],
    isCamelCase: true,
    fields: { agent_type: ["subagent_type"] },
    exceptions: [
      // The program's end sends a second stop, after the end of the session.
      { event: "Stop", field: "reason", values: ["shutdown", "channel_closed"], name: "SessionEnd" },
      { event: "StopCancelled", field: "cancelled_by", values: ["user"], isByUser: true },
    ],
    // VS Code and Copilot CLI have camelCase, too, and no name of an event in small letters.
    isAuthor: ({ hookEventName, sessionId }) =>
      /^[a-z]+(?:_[a-z]+)*$/.test(textOf(hookEventName) ?? "") && textOf(sessionId) !== undefined,
    imports: ["claude-code", "cursor"],
    nextStep: "restart Grok Build; /hooks lists what it has loaded",
  },
  devin: {
    name: "Devin CLI",
    docs: "https://docs.devin.ai/cli/extensibility/hooks",
    form: "claude-code",
    programs: ["devin"],
    // On Windows, where this variable is always set, it is in another place.
    folder: { path: ".config/devin", moved: { env: "APPDATA", into: "devin" } },
    file: "config.json",
    shellOnWindows: "bash",
    events: words(`
      PermissionRequest Stop SessionEnd UserPromptSubmit SessionStart PreToolUse PostToolUse PostCompaction
    `),
    eventNames: { PostCompaction: "PostCompact" },
    timeout: "seconds",
    hookVariables: ["DEVIN_PROJECT_DIR"],
    projectVariables: ["DEVIN_PROJECT_DIR"],
    // Its sessions are called by two words, and payloads name neither transcript nor folder.
    isAuthor: ({ hook_event_name: event, session_id: session, transcript_path: transcript, cwd }, calledAs) =>
      (calledAs === "claude-code" || calledAs === "devin") &&
      textOf(event) !== undefined &&
      /^[a-z]+-[a-z]+$/.test(textOf(session) ?? "") &&
      (transcript === "" || (transcript === undefined && textOf(cwd) === undefined)),
    imports: ["claude-code"],
    nextStep: "start a new Devin session; its command /hooks lists what it has loaded",
  },
  qoder: {
    name: "Qoder",
    docs: "https://docs.qoder.com/cli/hooks-reference",
    form: "claude-code",
    programs: ["qodercli", "qoder"],
    folder: { path: ".qoder" },
    file: "settings.json",
    events: words(`
      PermissionRequest Notification Stop StopFailure SubagentStop SessionEnd UserPromptSubmit SessionStart
      PreToolUse PostToolUse PostToolUseFailure PermissionDenied SubagentStart PreCompact PostCompact
      Elicitation ElicitationResult InstructionsLoaded ConfigChange CwdChanged FileChanged
    `),
    timeout: "seconds",
    nextStep: "restart Qoder; its settings list the hooks that it has found",
  },
  codebuddy: {
    name: "CodeBuddy",
    docs: "https://cloud.tencent.com/document/product/1831/137030",
    form: "claude-code",
    programs: ["codebuddy"],
    folder: { path: ".codebuddy" },
    file: "settings.json",
    events: words(`
      PermissionRequest Notification Stop StopFailure SubagentStop SessionEnd UserPromptSubmit SessionStart
      PreToolUse PostToolUse PostToolUseFailure PermissionDenied SubagentStart PreCompact PostCompact
      Elicitation ElicitationResult InstructionsLoaded ConfigChange CwdChanged FileChanged TaskCreated TaskCompleted
      TeammateIdle Setup
    `),
    timeout: "seconds",
    shell: "login",
    shellOnWindows: "bash",
    hookVariables: ["CODEBUDDY_PROJECT_DIR"],
    projectVariables: ["CODEBUDDY_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
    nextStep: "approve the hooks in CodeBuddy with /hooks; until then it does not run what another program has added",
  },
  letta: {
    name: "Letta Code",
    docs: "https://docs.letta.com/letta-code/hooks",
    form: "claude-code",
    programs: ["letta"],
    folder: { path: ".letta" },
    file: "settings.json",
    off: { member: ["hooks", "disabled"], value: true },
    events: words(`
      PermissionRequest Notification Stop SubagentStop SessionEnd UserPromptSubmit SessionStart
      PreToolUse PostToolUse PostToolUseFailure PreCompact
    `),
    timeout: "milliseconds",
    shellOnWindows: "powershell",
    fields: {
      hook_event_name: ["event_type"],
      cwd: ["working_directory"],
      session_id: ["session_id", "conversation_id", "agent_id"],
      last_assistant_message: ["assistant_message"],
      agent_type: ["subagent_type"],
      // The agent that remembers, which is no subagent.
      agent_id: [],
    },
    isAuthor: (payload) => textOf(payload.event_type) !== undefined && textOf(payload.working_directory) !== undefined,
    nextStep: "restart Letta Code",
  },
  cortex: {
    name: "Cortex Code",
    docs: "https://docs.snowflake.com/en/user-guide/cortex-code/extensibility",
    form: "claude-code",
    programs: ["cortex"],
    folder: { path: ".snowflake/cortex" },
    file: "hooks.json",
    events: words(`
      PermissionRequest Notification Stop SubagentStop SessionEnd UserPromptSubmit SessionStart
      PreToolUse PostToolUse PreCompact Setup
    `),
    timeout: "seconds",
    nextStep: "restart Cortex Code",
  },
  muse: {
    name: "Muse Code",
    docs: "https://dev.meta.ai/docs/muse-code/extending#hooks",
    form: "claude-code",
    programs: ["muse"],
    folder: { path: ".config/muse", moved: { env: "XDG_CONFIG_HOME", into: "muse" } },
    file: "settings.json",
    required: { schema_version: 1 },
    // It drops what it does not know without a word, and a prompt whose hook cannot run was reported as blocked.
    events: words(`PermissionRequest Stop SubagentStop SessionStart PostToolUse SubagentStart PreCompact PostCompact`),
    timeout: "seconds",
    nextStep: "restart Muse Code",
  },
  tabnine: {
    name: "Tabnine",
    docs: "https://docs.tabnine.com/main/getting-started/tabnine-cli/features/hooks",
    form: "gemini-cli",
    programs: ["tabnine"],
    folder: { path: ".tabnine/agent" },
    file: "settings.json",
    off: { member: ["hooksConfig", "enabled"], value: false },
    events: words(`
      Notification AfterAgent SessionEnd BeforeAgent SessionStart AfterTool BeforeTool BeforeModel AfterModel
      BeforeToolSelection PreCompress
    `),
    timeout: "milliseconds",
    shellOnWindows: "powershell",
    hookVariables: ["TABNINE_PROJECT_DIR"],
    projectVariables: ["TABNINE_PROJECT_DIR"],
    // Its payloads are Gemini CLI's, and only Tabnine runs what stands in its file.
    isAuthor: ({ transcript_path: transcript }, calledAs) =>
      calledAs === "tabnine" || /[\\/]\.tabnine[\\/]/.test(textOf(transcript) ?? ""),
    nextStep: "restart Tabnine",
  },
});

export type FamilyId = keyof typeof familyRows;
