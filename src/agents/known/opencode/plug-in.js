// hookbell's plug-in in opencode, and in Kilo, which is a fork of it. `npm run generate` puts it into plug-in-text.ts, without its types.
// @ts-check
/**
 * An event of opencode's bus: https://opencode.ai/docs/plugins#events
 * @typedef {{ type: string, properties?: Properties }} BusEvent
 * @typedef {{
 *   id?: string, sessionID?: string, requestID?: string, info?: Info, part?: any, status?: { type?: string },
 * }} Properties
 * @typedef {{ id: string, sessionID: string, parentID?: string, role?: string, finish?: string }} Info
 * @typedef {{ text: string, finish?: string, hasCalls?: boolean }} Answer
 * @typedef {{
 *   agent: string, type: string, properties: Properties, directory: string, parentID?: string, message?: string, isStopped?: boolean,
 * }} Payload
 * @typedef {{ _client: { post(request: { url: string, headers: Record<string, string>, body: unknown }): unknown } }} Client
 */
import { spawn } from "node:child_process";

const agent = "opencode";
/** @type {[program: string, ...words: string[]]} */
const command = ["hookbell"];
// Windows does not tell hookbell which process has started it.
const environment = () => ({ ...process.env, HOOKBELL_AGENT_PID: String(process.pid) });
/** @type {Set<string>} */
const wanted = new Set([]);
/** @type {Set<string>} */
const answering = new Set([]);
/** @type {Map<string | undefined, import("node:child_process").ChildProcess>} */
const waiting = new Map();
/** @type {Map<string | undefined, string>} */
const parents = new Map();
/** @type {Map<string | undefined, any>} */
const answers = new Map();
/** @type {Map<string | undefined, true>} */
const failed = new Map();
/** @type {Map<string, true>} */
const prompts = new Map();
/** @type {Map<string | undefined, string | undefined>} */
const busy = new Map();
/** @type {Map<string, true>} */
const asked = new Map();
/** @type {Map<string | undefined, NodeJS.Timeout>} */
const undecided = new Map();
// The auto mode answers a permission itself within milliseconds.
const autoModeMs = 500;

/**
 * @template Key, Value
 * @param {Map<Key | undefined, Value>} map
 * @param {Key} key
 * @param {Value} value
 */
function keep(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > 1000) map.delete(map.keys().next().value);
}

/** @type {(type: string, properties: Properties, session: string | undefined) => void} */
function remember(type, properties, session) {
  const { info, part } = properties;
  if (/^session[.](created|updated)$/.test(type) && info?.id && info.parentID) keep(parents, info.id, info.parentID);
  if (type === "message.updated" && info?.role === "assistant") {
    if (answers.get(info.sessionID)?.id !== info.id) keep(answers, info.sessionID, { id: info.id, text: "" });
    answers.get(info.sessionID).finish = info.finish;
  }
  if (type === "message.part.updated" && answers.get(part.sessionID)?.id === part.messageID) {
    const answer = answers.get(part.sessionID);
    // Kilo shows its own progress as a part of the answer.
    if (part.type === "text" && !part.synthetic) answer.text = part.text;
    if (part.type === "tool") answer.hasCalls = true;
  }
  if (type === "session.error") keep(failed, session, true);
  // Older releases have no other sign of a new turn.
  if (type === "message.updated" && info?.role === "user" && info.id && !prompts.has(info.id)) {
    keep(prompts, info.id, true);
    failed.delete(info.sessionID);
  }
}

/** @type {(answer: Answer) => boolean} */
// The person stopped the turn: they refused a call, or the answer has neither words nor calls.
function isStopped({ finish, text, hasCalls }) {
  return finish === "tool-calls" || (finish === undefined && text === "" && !hasCalls);
}

/** @type {(type: string, properties: Properties, session: string | undefined) => boolean} */
function isRepeated(type, properties, session) {
  if (type === "session.status") {
    const status = properties.status?.type;
    const before = busy.get(session);
    if (status === "busy" && !before) failed.delete(session);
    // The agent may try many times in one turn; only the first try is passed on.
    if (status === "retry") keep(busy, session, "retry");
    else keep(busy, session, status === "busy" ? (before ?? "busy") : undefined);
    return status === "retry" ? before === "retry" : status !== "busy" || before !== undefined;
  }
  if (!/[.]asked$/.test(type) || !properties.id) return false;
  const wasAsked = asked.has(properties.id);
  keep(asked, properties.id, true);
  return wasAsked;
}

/** @type {(payload: Payload) => void} */
function tell(payload) {
  const [program, ...words] = command;
  const env = environment();
  const child = spawn(program, words, { env, stdio: ["pipe", "ignore", "ignore"], detached: true, windowsHide: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  child.unref();
}

/** @type {(payload: Payload, client: Client) => void} */
// The hook prints the body of a reply, or nothing: then the terminal's answer counts.
function ask(payload, client) {
  const { type, properties } = payload;
  const [program, ...words] = command;
  const env = environment();
  const child = spawn(program, [...words, "--answer"], { env, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
  let said = "";
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk) => (said += chunk));
  child.on("close", () => {
    waiting.delete(properties.id);
    if (said === "") return;
    const url = "/" + type.split(".")[0] + "/" + properties.id + "/reply";
    const headers = { "Content-Type": "application/json" };
    // The methods that plug-ins are given know no reply to a question, and no words with a "no".
    Promise.resolve()
      .then(() => client._client.post({ url, headers, body: JSON.parse(said) }))
      .catch(() => {});
  });
  child.stdin.end(JSON.stringify(payload));
  waiting.set(properties.id, child);
}

/** @type {(payload: Payload, client: Client) => void} */
function pass(payload, client) {
  if (answering.has(payload.type)) ask(payload, client);
  else tell(payload);
}

process.on("exit", () => waiting.forEach((child) => child.kill()));

/** @type {(host: { directory: string, client: Client }) => Promise<{ event(call: { event: BusEvent }): Promise<void> }>} */
export const Hookbell = async ({ directory, client }) => ({
  event: async ({ event }) => {
    try {
      const { type, properties = {} } = event;
      const session = properties.sessionID ?? properties.info?.id;
      if (/[.](replied|rejected)$/.test(type)) {
        waiting.get(properties.requestID)?.kill();
        const timer = undecided.get(properties.requestID);
        clearTimeout(timer);
        undecided.delete(properties.requestID);
        if (timer !== undefined) return;
      }
      remember(type, properties, session);
      // The error, which comes first, has told of the turn's end.
      if (type === "session.idle" && failed.has(session)) return;
      if (!wanted.has(type) || isRepeated(type, properties, session)) return;
      /** @type {Payload} */
      const payload = { agent, type, properties, directory };
      if (parents.has(session)) payload.parentID = parents.get(session);
      const answer = type === "session.idle" ? answers.get(session) : undefined;
      if (answer?.text) payload.message = answer.text;
      if (answer && isStopped(answer)) payload.isStopped = true;
      if (!/^permission[.](v2[.])?asked$/.test(type) || !properties.id) return pass(payload, client);
      const decide = () => {
        undecided.delete(properties.id);
        pass(payload, client);
      };
      undecided.set(properties.id, setTimeout(decide, autoModeMs));
    } catch {
      // An error here must not disturb opencode.
    }
  },
});
