// hookbell's extension of pi. `npm run generate` puts it into plug-in-text.ts, without its types.
// @ts-check
/**
 * The members of pi's events that are used here: https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md#events
 * @typedef {{ role?: string, content?: Part[] | string, stopReason?: string, errorMessage?: string }} Message
 * @typedef {{ type: string, text?: string }} Part
 * @typedef {{
 *   type: string, reason?: string, text?: string, source?: string, aborted?: boolean, messages?: Message[], kind?: string,
 *   title?: string, toolCallId?: string, toolName?: string, input?: any,
 * }} PiEvent
 * @typedef {{ cwd: string, mode?: string, isIdle(): boolean, sessionManager: { getSessionId(): string } }} Context
 * @typedef {{ on(name: string, handler: (event: PiEvent, context: Context) => void): void }} Pi
 */
import { spawn } from "node:child_process";

/** @type {[program: string, ...words: string[]]} */
const command = ["hookbell"];
// Windows does not tell hookbell which process has started it.
const environment = () => ({ ...process.env, HOOKBELL_AGENT_PID: String(process.pid) });
/** @type {Set<string>} */
const wanted = new Set([]);

/** @type {(payload: object) => void} */
function tell(payload) {
  const [program, ...words] = command;
  const env = environment();
  const child = spawn(program, words, { env, stdio: ["pipe", "ignore", "ignore"], detached: true, windowsHide: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  child.unref();
}

/** @type {(message: Message) => string} */
function textOf({ content }) {
  if (!Array.isArray(content)) return content ?? "";
  return content.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n");
}

/** @type {(pi: Pi) => void} */
export default function hookbell(pi) {
  /** @type {Message | undefined} */
  let last;
  /** @type {Map<string | undefined, any>} */
  const questions = new Map();

  /** @type {Record<string, (event: PiEvent, context: Context) => object | undefined>} */
  const read = {
    // pi may try again after this event.
    agent_end({ messages = [] }) {
      last = messages.findLast(({ role }) => role === "assistant");
      return undefined;
    },
    agent_settled({ aborted }) {
      const ended = last;
      last = undefined;
      questions.clear();
      const message = ended && textOf(ended) ? { last_assistant_message: textOf(ended) } : {};
      const error = ended?.stopReason === "error" ? { error: ended.errorMessage ?? "" } : {};
      return { aborted: aborted === true, ...message, ...error };
    },
    input: ({ text, source }) => ({ prompt: text, source }),
    // The tool that asks with a window of its own has the words in its input.
    tool_call({ toolCallId, input }) {
      if (input?.question || input?.questions) questions.set(toolCallId, input);
      return undefined;
    },
    tool_execution_end({ toolCallId }) {
      questions.delete(toolCallId);
      return undefined;
    },
    ui_prompt_start({ kind, title }, context) {
      // Outside of a turn, the person has started what asks.
      if (context.isIdle()) return undefined;
      const asked = title === undefined ? [...questions.values()].at(-1) : undefined;
      return { kind, message: title, ...(asked === undefined ? {} : { tool_input: asked }) };
    },
    ui_prompt_end: ({ kind }, context) => (context.isIdle() ? undefined : { kind }),
    // The session goes on after its extensions were loaded again.
    session_start: ({ reason }) => (reason === "reload" ? undefined : { reason }),
    session_shutdown: ({ reason }) => (reason === "reload" ? undefined : { reason }),
  };

  for (const [type, payloadOf] of Object.entries(read)) {
    pi.on(type, (event, context) => {
      try {
        const members = payloadOf(event, context);
        if (members === undefined || !wanted.has(type)) return;
        const session = context.sessionManager.getSessionId();
        tell({ agent: "pi", type, session_id: session, cwd: context.cwd, mode: context.mode, ...members });
      } catch {
        // An error here must not disturb pi.
      }
    });
  }
}
