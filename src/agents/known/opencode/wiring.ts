// How opencode is wired, through a plug-in: https://opencode.ai/docs/plugins
import type { Payload } from "../../dialect/agent.ts";
import { sampleWords, type SampleCall } from "../../sample.ts";
import { flatEntry, type OwnFileCall, type Wiring } from "../../wiring.ts";

/** The most sessions, and the most questions, that the plug-in remembers. */
const maxRemembered = 1000;

/** The plug-in passes events on, never makes opencode wait, and hides its errors. */
function pluginText({ argv, events, answering = [] }: OwnFileCall): string {
  return `import { spawn } from "node:child_process";

const command = ${JSON.stringify(argv)};
const wanted = new Set(${JSON.stringify(events)});
const answering = new Set(${JSON.stringify(answering)});
const waiting = new Map();
const parents = new Map();
const answers = new Map();
const failed = new Map();
const prompts = new Map();
const busy = new Map();
const asked = new Map();

function keep(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > ${maxRemembered}) map.delete(map.keys().next().value);
}

function remember(type, properties, session) {
  const { info, part } = properties;
  if (/^session[.](created|updated)$/.test(type) && info?.id && info.parentID) keep(parents, info.id, info.parentID);
  if (type === "message.updated" && info?.role === "assistant") {
    if (answers.get(info.sessionID)?.id !== info.id) keep(answers, info.sessionID, { id: info.id, text: "" });
    answers.get(info.sessionID).finish = info.finish;
  }
  if (type === "message.part.updated" && answers.get(part.sessionID)?.id === part.messageID) {
    const answer = answers.get(part.sessionID);
    if (part.type === "text") answer.text = part.text;
    if (part.type === "tool") answer.hasCalls = true;
  }
  if (type === "session.error") keep(failed, session, true);
  // Older releases have no other sign of a new turn.
  if (type === "message.updated" && info?.role === "user" && info.id && !prompts.has(info.id)) {
    keep(prompts, info.id, true);
    failed.delete(info.sessionID);
  }
}

// The person stopped the turn: they refused a call, or the answer has neither words nor calls.
function isStopped({ finish, text, hasCalls }) {
  return finish === "tool-calls" || (finish === undefined && text === "" && !hasCalls);
}

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

function tell(payload) {
  const [program, ...words] = command;
  const child = spawn(program, words, { stdio: ["pipe", "ignore", "ignore"], detached: true, windowsHide: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  child.unref();
}

// The hook prints the body of a reply, or nothing: then the terminal's answer counts.
function ask(payload, client) {
  const { type, properties } = payload;
  const [program, ...words] = command;
  const child = spawn(program, [...words, "--answer"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
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

process.on("exit", () => waiting.forEach((child) => child.kill()));

export const Hookbell = async ({ directory, client }) => ({
  event: async ({ event }) => {
    try {
      const { type, properties = {} } = event;
      const session = properties.sessionID ?? properties.info?.id;
      if (/[.](replied|rejected)$/.test(type)) waiting.get(properties.requestID)?.kill();
      remember(type, properties, session);
      // The error, which comes first, has told of the turn's end.
      if (type === "session.idle" && failed.has(session)) return;
      if (!wanted.has(type) || isRepeated(type, properties, session)) return;
      const payload = { agent: "opencode", type, properties, directory };
      if (parents.has(session)) payload.parentID = parents.get(session);
      const answer = type === "session.idle" ? answers.get(session) : undefined;
      if (answer?.text) payload.message = answer.text;
      if (answer && isStopped(answer)) payload.isStopped = true;
      if (answering.has(type)) ask(payload, client);
      else tell(payload);
    } catch {
      // An error here must not disturb opencode.
    }
  },
});
`;
}

function eventsIn(text: string): string[] {
  const list = /^const wanted = new Set\((\[[^\]]*\])\);$/m.exec(text)?.[1];
  return list === undefined ? [] : (JSON.parse(list) as string[]);
}

const sampleProperties: Readonly<Record<string, Payload>> = {
  "session.error": { error: { name: "APIError", data: { message: sampleWords, statusCode: 500 } } },
  "session.status": { status: { type: "busy" } },
  "permission.replied": { reply: "once" },
};

/** An event of opencode's bus; the plug-in makes the payload of it. */
function samplePayload({ event, session }: SampleCall): Payload {
  const question = { id: session, permission: "bash", patterns: [sampleWords], questions: [{ question: sampleWords }] };
  const isQuestion = /asked$|updated$/.test(event);
  const info = event === "session.deleted" ? { info: { id: session } } : {};
  return {
    type: event,
    properties: { sessionID: session, ...(isQuestion ? question : {}), ...info, ...sampleProperties[event] },
  };
}

export const opencodeWiring: Wiring = {
  programs: ["opencode"],
  folders: [{ path: ".config/opencode", moved: { env: "XDG_CONFIG_HOME", into: "opencode" } }],
  files: [],
  ownFiles: [{ name: () => "plugins/hookbell.js", comment: "//", text: pluginText, eventsIn }],
  events: {
    "session.idle": { mapsTo: ["Stop", "SubagentStop"] },
    "session.error": { mapsTo: ["StopFailure"] },
    "permission.asked": { mapsTo: ["Notification"], isAnswerable: "question" },
    // The names in releases before 1.1, and maybe from 2 on.
    "permission.updated": { mapsTo: ["Notification"] },
    "permission.v2.asked": { mapsTo: ["Notification"] },
    "question.asked": { mapsTo: ["Notification"], isAnswerable: "question" },
    "question.v2.asked": { mapsTo: ["Notification"] },
    // The question is answered.
    "permission.replied": { mapsTo: [], isSupporting: true },
    "question.replied": { mapsTo: [], isSupporting: true },
    "question.rejected": { mapsTo: [], isSupporting: true },
    // The start of a turn, and a model that cannot be reached.
    "session.status": { mapsTo: ["UserPromptSubmit", "Notification"], isSupporting: true },
    "session.deleted": { mapsTo: ["SessionEnd"], isSupporting: true },
    "session.created": { mapsTo: ["SessionStart"] },
  },
  entry: flatEntry,
  sample: { payload: samplePayload },
  notificationTypes: {
    permission_prompt: "with a question",
    elicitation_dialog: "with a question that has choices",
    retry: "the model's servers refuse, and opencode tries again; once a turn",
  },
  nextStep: "restart opencode: it loads plug-ins when it starts",
};
