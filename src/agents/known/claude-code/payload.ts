// How Claude Code's payloads are read: https://code.claude.com/docs/en/hooks
import { askedForm, askedPermission, askedPrompt, askedQuestions } from "../../dialect/asked.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent, Payload, PayloadFacts } from "../../dialect/agent.ts";
import { genericCommon, genericEvents } from "../../dialect/generic.ts";
import { measureFacts } from "../../dialect/measures.ts";
import { isOfSubagent } from "../../dialect/values.ts";
import type { ToolReaders } from "../../dialect/tool-line.ts";
import { objectOf, objectsOf, textOf } from "../../../model/json.ts";

export const claudeCode: Agent = {
  id: "claude-code",
  name: "Claude Code",
  docs: "https://code.claude.com/docs/en/hooks",
  // Claude Code runs no hooks of other agents, so only a call without `--agent` needs this.
  isAuthor: (payload, calledAs) => calledAs === undefined && Array.isArray(payload.session_crons),
  // Its transcript always has a name. Devin CLI and Continue CLI run its hooks without one.
  isOwn(payload) {
    const transcript = payload.transcript_path ?? payload.transcriptPath;
    if (textOf(transcript) !== undefined) return true;
    return transcript === "" && (payload.prompt_id ?? payload.promptId) === undefined ? false : undefined;
  },
  // CLAUDE_PROJECT_DIR proves nothing: Droid and Gemini CLI set it too.
  variables: {
    ofHooks: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"],
    ofCommands: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"],
    // Claude Code sets it since 2.1.214.
    ofProcess: "CLAUDE_PID",
  },
  acceptsCamelCase: true,
  withCommonNames: withSubagentTranscript,
  common: genericCommon,
  events: genericEvents,
  types: {
    tool_name: "string",
    permission_suggestions: "array",
    prompt_id: "string",
    error_details: "string",
    error_type: "string",
    session_title: "string",
  },
  ignores(eventName, payload) {
    if (eventName === "Notification" && isAnswer(payload)) return "the question has been answered";
    if (eventName === "Interrupt") return "you stopped the turn";
    if (isHidden(eventName, payload)) return "a subagent of Claude Code's own, such as that of /compact";
    if (eventName !== "UserPromptSubmit") return undefined;
    if (isOfSubagent(payload)) return "a subagent's prompt";
    if (isOfTask(payload)) return "the end of a background task, not a prompt";
    return ownPrompts.has(payload.source) ? "Claude Code went on by itself" : undefined;
  },
  facts(payload, eventName) {
    const facts = claudeFacts(claudeTools, payload, eventName);
    // The plug-in's mod sends these: hooks/claude-code-mod.mjs.
    if (eventName === "Interrupt") return { ...facts, means: "interrupted" };
    if (isHidden(eventName, payload)) return { ...facts, means: "compacted" };
    if (eventName === "Stop") return { ...facts, ...afterTurn(payload) };
    const measured = measureFacts(eventName, payload, claudeCode.name);
    if (measured !== undefined) return { ...facts, ...measured };
    // The agent view tells of another session, which tells of its question itself.
    if (facts.notificationType === "agent_needs_input") return { ...facts, means: "elsewhere" };
    const server = textOf(payload.mcp_server_name);
    if (eventName === "Elicitation" && server !== undefined) {
      return { ...facts, title: `${server} asks through Claude Code` };
    }
    const isOwnPrompt = !isOfSubagent(payload) && (isOfTask(payload) || ownPrompts.has(payload.source));
    if (eventName === "UserPromptSubmit" && isOwnPrompt) return { ...facts, means: "resumed" };
    return eventName === "ElicitationResult" || isAnswer(payload) ? { ...facts, isAnswer: true } : facts;
  },
  // Measured with 2.1.332: the prompt of a schedule comes without a source.
  scheduledPrompts: ({ session_crons: crons }) => objectsOf(crons).flatMap(({ prompt }) => textOf(prompt) ?? []),
  showsInTerminal: ["Notification", "Stop", "StopFailure"],
  asks(eventName, payload, env) {
    if (eventName === "Elicitation") return askedForm(payload);
    // Without a terminal (`-p`), the end of the turn is that of the program.
    if (eventName === "Stop" && env.CLAUDE_CODE_ENTRYPOINT === "cli") return askedPrompt(payload);
    if (eventName !== "PermissionRequest") return undefined;
    // `-p` and SDKs (`sdk-cli`, `sdk-ts`, `sdk-py`) show no dialog: the program would wait with the hook.
    const showsDialog = (env.CLAUDE_CODE_ENTRYPOINT ?? "cli") === "cli";
    return payload.tool_name === "AskUserQuestion"
      ? askedQuestions(objectOf(payload.tool_input), showsDialog)
      : askedPermission(payload, { showsDialog, takesSuggestion: true });
  },
};

/** Only SubagentStop names the subagent's transcript, and all of them lie beside it. */
function withSubagentTranscript(payload: Payload): Payload {
  const [subagent, session] = [textOf(payload.agent_id), textOf(payload.transcript_path)];
  if (payload.agent_transcript_path !== undefined || subagent === undefined || session === undefined) return payload;
  const folder = /^(.+)\.jsonl$/.exec(session)?.[1];
  if (folder === undefined || !/^[\w-]{1,100}$/.test(subagent)) return payload;
  return { ...payload, agent_transcript_path: `${folder}/subagents/agent-${subagent}.jsonl` };
}

function isHidden(eventName: string, { agent_type: type }: Payload): boolean {
  return eventName.startsWith("Subagent") && type === "";
}

/** What goes on when the turn has ended: a schedule of the session's own, or commands in the background. */
function afterTurn({ session_crons: crons, background_tasks: tasks }: Payload): Partial<PayloadFacts> {
  const [schedule] = objectsOf(crons).flatMap(({ schedule: each }) => textOf(each) ?? []);
  if (Array.isArray(crons) && crons.length > 0) return { wakes: true, headline: `wakes ${wakingTime(schedule)}` };
  const commands = objectsOf(tasks).filter(({ type, status }) => type === "shell" && status === "running").length;
  if (commands === 0) return {};
  return { headline: `is done, ${commands === 1 ? "a command runs" : `${commands} commands run`}` };
}

/** `50 15 28 11 *` is a time; `*\/5 * * * *` is many. */
function wakingTime(schedule: string | undefined): string {
  const [, minute = "", hour = ""] = /^(\d{1,2}) (\d{1,2}) /.exec(schedule ?? "") ?? [];
  return hour === "" ? "by itself" : `at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
}

/** Sources of prompts that the user did not write. */
const ownPrompts: ReadonlySet<unknown> = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

function isOfTask({ prompt }: Payload): boolean {
  return textOf(prompt)?.startsWith("<task-notification>") === true;
}

/** Claude Code sends it when a question of an MCP server is answered. */
function isAnswer({ notification_type: type }: Payload): boolean {
  return type === "elicitation_complete" || type === "elicitation_response";
}

export const claudeTools: ToolReaders = {
  Bash: "runs",
  PowerShell: "runs",
  Monitor: "runs",
  Edit: "edits",
  MultiEdit: "edits",
  NotebookEdit: "edits",
  Write: "writes",
  Read: "reads",
  WebFetch: "fetches",
  WebSearch: "searches",
  Agent: "startsSubagent",
  Task: "startsSubagent",
  AskUserQuestion: "asksQuestions",
  ExitPlanMode: "startsPlan",
};
