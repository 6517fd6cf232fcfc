// `hookbell board --demo`: made-up sessions that move. Reads and writes no files.
import { textOfCall, textOfFields } from "../../answers/card/card.ts";
import { choiceOfWords, describeEnd } from "../../answers/give-answer.ts";
import type { Question } from "../../answers/questions.ts";
import { readReply } from "../../answers/read-reply.ts";
import type { Field } from "../../agents/dialect/agent.ts";
import type { Mute } from "../../policies/mute.ts";
import { boardRows } from "../../overview/board.ts";
import { dayOf } from "../../overview/day.ts";
import type { EventNotifications, NotificationStatus } from "../../overview/notifications.ts";
import type { Answer } from "../../model/answer.ts";
import type { AgentEvent } from "../../model/event.ts";
import { levelOfEvent } from "../../model/level.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { sessionAfter, sessionObserved } from "../../sessions/reduce.ts";
import { blankSession } from "../../sessions/session-schema.ts";
import type { Clock } from "../../system/clock.ts";
import type { BoardSource } from "./source.ts";

const second = 1000;
const minute = 60 * second;

interface Happening {
  /** Seconds after the start; before it where negative. */
  at: number;
  session: string;
  name: string;
  facts?: Partial<AgentEvent>;
  /** A hook waits for the answer. */
  asks?: { tool: string; input?: Record<string, unknown>; fields?: readonly Field[] };
  told?: Omit<NotificationStatus, "at">[];
}

const sessions: Readonly<Record<string, Partial<SessionRecord> & { agent: string; folder: string }>> = {
  cart: {
    agent: "claude-code",
    project: "shop-web",
    branch: "feature/cart",
    folder: "/home/you/shop-web",
    lastPrompt: "publish the cart package",
  },
  checkout: {
    agent: "codex",
    project: "shop-web",
    branch: "fix/checkout",
    folder: "/home/you/shop-web-checkout",
    lastPrompt: "keep the cart after the checkout has failed",
  },
  api: {
    agent: "claude-code",
    project: "shop-api",
    folder: "/home/you/shop-api",
    lastPrompt: "fix the flaky order test",
  },
  search: { agent: "opencode", project: "search", folder: "/home/you/search" },
  docs: { agent: "gemini-cli", project: "docs", folder: "/home/you/docs", lastPrompt: "describe how to install it" },
  infra: { agent: "codex", project: "infra", folder: "/home/you/infra" },
  mobile: {
    agent: "claude-code",
    project: "mobile-app",
    folder: "/home/you/mobile",
    lastPrompt: "start it in the simulator",
  },
  billing: { agent: "droid", project: "billing", folder: "/home/you/billing" },
};

const desktop = { channel: "desktop", how: "notified" } as const;
const phone = { channel: "phone", how: "notified" } as const;
const databases = {
  name: "Which database should the cart use?",
  text: "Which database should the cart use?",
  options: [
    { label: "PostgreSQL", value: "PostgreSQL", description: "as the shop does" },
    { label: "SQLite", value: "SQLite", description: "no server" },
  ],
  takesOther: true,
  isMany: false,
  isOptional: false,
};

const story: readonly Happening[] = [
  { at: -1500, session: "infra", name: "UserPromptSubmit" },
  {
    at: -900,
    session: "infra",
    name: "StopFailure",
    facts: { reason: "rate_limit", message: "You've hit your 5-hour limit" },
    told: [desktop, phone],
  },
  { at: -760, session: "search", name: "UserPromptSubmit" },
  { at: -300, session: "search", name: "Stop", facts: { message: "Indexed 12,400 pages." }, told: [desktop] },
  { at: -700, session: "mobile", name: "UserPromptSubmit" },
  { at: -15, session: "mobile", name: "PreToolUse", facts: { request: "run `npx expo run:ios`?" } },
  { at: -640, session: "docs", name: "UserPromptSubmit" },
  { at: -4, session: "docs", name: "BeforeTool", facts: { request: "edit docs/install.md?" } },
  { at: -420, session: "billing", name: "UserPromptSubmit" },
  { at: -200, session: "billing", name: "StopFailure", facts: { message: "API error 529" }, told: [desktop] },
  { at: -200, session: "api", name: "UserPromptSubmit" },
  { at: -9, session: "api", name: "PreToolUse", facts: { request: "run `npm test -- --coverage`?" } },
  { at: -180, session: "checkout", name: "UserPromptSubmit" },
  { at: -120, session: "cart", name: "UserPromptSubmit" },
  {
    at: -41,
    session: "cart",
    name: "PermissionRequest",
    facts: { request: "run `npm publish --access public`?" },
    asks: {
      tool: "Bash",
      input: { command: "npm publish --access public", description: "Publish the cart's package" },
    },
    told: [desktop, { channel: "phone", how: "deferred", why: "you are at this computer" }],
  },
  { at: 6, session: "api", name: "PreToolUse", facts: { request: "edit src/orders.ts?" } },
  {
    at: 12,
    session: "checkout",
    name: "PermissionRequest",
    facts: { request: databases.text },
    asks: { tool: "", fields: [databases] },
    told: [desktop],
  },
  {
    at: 20,
    session: "docs",
    name: "Stop",
    facts: { message: "The installation page is up to date." },
    told: [desktop],
  },
  {
    at: 34,
    session: "mobile",
    name: "Stop",
    told: [{ channel: "desktop", how: "suppressed", why: "you look at its terminal" }],
  },
  { at: 60, session: "docs", name: "UserPromptSubmit" },
];

const holdMs = 9 * minute;

export function demoSource(clock: Clock): BoardSource {
  const startedAt = clock.now();
  const records = new Map<string, SessionRecord>();
  const asked = new Map<string, { question: Question; answer: Answer | undefined }>();
  const tellings = new Map<string, EventNotifications>();
  const mutes: Mute[] = [];
  const coming = [...story].sort((a, b) => a.at - b.at);
  let tell = (): void => {};

  const happen = ({ at: after, session, name, facts, asks, told = [] }: Happening): void => {
    const at = startedAt + after * second;
    const known = sessions[session];
    if (known === undefined) return;
    const { agent, folder, project = "" } = known;
    const id = `evt_${session}${after}`;
    const event: AgentEvent = {
      id,
      name,
      agent,
      session,
      project,
      cwd: folder,
      host: "your-machine",
      at: new Date(at).toISOString(),
      level: levelOfEvent(name),
      ...facts,
    };
    const before = records.get(session) ?? { ...blankSession, session, remembered: {}, ...known };
    records.set(session, sessionAfter(before, event, { position: id }));
    tellings.set(id, { channels: told.map((each) => ({ ...each, at: at + 0.4 * second })) });
    if (asks !== undefined) asked.set(session, { question: questionOf(event, asks), answer: undefined });
  };

  return {
    label: "demo: these sessions are made up",
    read(nowMs) {
      while (coming[0] !== undefined && startedAt + coming[0].at * second <= nowMs) {
        const next = coming.shift();
        if (next !== undefined) happen(next);
      }
      const facts = { sessions: [...records.values()], questions: [...asked.values()], mutes };
      return boardRows({ ...facts, tellingOf: (event) => tellings.get(event) }, nowMs);
    },
    readRules: async () => undefined,
    async readDay(nowMs) {
      const happened = story.map(({ at, session, name }) => {
        const { agent = "", project = session } = sessions[session] ?? {};
        return { at: startedAt + at * second, event: { name, level: levelOfEvent(name), agent, session, project } };
      });
      return dayOf(
        happened.filter(({ at }) => at <= nowMs),
        nowMs,
      );
    },
    watch(onChange) {
      tell = onChange;
      const ends = coming.map(({ at }) => clock.after(startedAt + at * second - clock.now(), onChange));
      return () => ends.forEach((end) => end());
    },
    async go({ place }) {
      return { says: `${place}: here, Enter would show its terminal` };
    },
    async answer({ question }, { choice: typed, message }) {
      const choice = typed === "reply" ? choiceOfWords(question, message ?? "") : typed;
      const reading = choice === "reply" ? readReply(question.fields, message ?? "") : undefined;
      if (reading !== undefined && "problem" in reading) return `Not accepted: ${reading.problem}.`;
      const answer = { choice, message, by: "you on the board", at: clock.now() };
      asked.set(question.session, { question, answer });
      clock.after(2 * second, () => {
        const before = records.get(question.session);
        if (before !== undefined) {
          records.set(
            question.session,
            sessionObserved(before, {
              kind: "acted",
              at: clock.now(),
              how: "answered",
              isAnswer: true,
              source: "person",
            }),
          );
        }
        tell();
      });
      return `${describeEnd(question, answer)}.`.replace(/^./, (first) => first.toUpperCase());
    },
    async mute({ record, mute }) {
      if (mute === undefined) mutes.push({ scope: "session", name: record.session, until: clock.now() + 60 * minute });
      else mutes.splice(mutes.indexOf(mute), 1);
      return mute === undefined ? "Muted for an hour; m again ends it." : "No longer muted.";
    },
    openPage: async () => "The page is part of hookbell serve; the demo has none.",
  };
}

function questionOf(
  { id, agent, session, cwd, host, at }: AgentEvent,
  { tool, input, fields = [] }: NonNullable<Happening["asks"]>,
): Question {
  const askedAt = Date.parse(at);
  const isPermission = fields.length === 0;
  return {
    id,
    agent,
    kind: isPermission ? "permission" : "question",
    session,
    cwd,
    host,
    tool,
    fields,
    ...(isPermission ? textOfCall(input ?? {}) : textOfFields("", fields)),
    isAllowable: true,
    digest: id,
    seal: "",
    askedAt,
    expiresAt: askedAt + holdMs,
    pid: 0,
    asker: [],
    routes: {},
    nonces: [],
    shown: [],
  };
}
