// What a session is called: what tells it from the others of its project, where it is, and its id as people read and type it.
import type { AgentTerminal } from "../model/places/agent-terminal.ts";
import type { AgentEvent } from "../model/event.ts";
import { byHand, ownAgents } from "../model/own-events.ts";
import { cut, cutWords, printableLine } from "../model/text.ts";
import { isLive } from "./describe.ts";
import type { Session } from "./state.ts";

export interface NamedSession extends Session {
  agent: string;
  session: string;
  branch?: string | undefined;
  worktree?: string | undefined;
  name?: string | undefined;
  prompt?: string | undefined;
  lastPrompt?: string | undefined;
  terminal?: AgentTerminal | undefined;
}

/**
 * Its branch, else its work tree; where another session of the project has the same, also what it works on: the agent's name
 * for it, its last prompt, its terminal or its id, the first that no other one has. So a session keeps its name when others
 * come and go.
 */
export function namesOf(own: NamedSession, all: Iterable<NamedSession>, nowMs: number): SessionNames {
  const { branch, worktree } = own;
  const unique = new Set([nameOf, promptOf, terminalOf]);
  let isAlone = true;
  for (const each of all) {
    if (each.session === own.session || each.project !== own.project || !isLive(each, nowMs)) continue;
    if (each.branch !== branch || (branch === undefined && each.worktree !== worktree)) continue;
    isAlone = false;
    for (const valueOf of unique) if (valueOf(each) === valueOf(own)) unique.delete(valueOf);
  }
  if (isAlone) return { branch, worktree };
  const differs = (valueOf: ValueOf): string | undefined => (unique.has(valueOf) ? valueOf(own) : undefined);
  const sessionWords = differs(nameOf) ?? differs(promptOf);
  return {
    branch,
    worktree,
    sessionName: differs(terminalOf) ?? shortId(own.session),
    ...(sessionWords === undefined ? {} : { sessionWords }),
  };
}

/** What need not be said: all sessions that are known are of one agent, or on this machine. */
export function onlyOnes(
  own: { agent: string; host?: string | undefined },
  all: Iterable<{ agent: string; host?: string | undefined }>,
): Pick<AgentEvent, "isOnlyAgent" | "isOnlyHost"> {
  let isOnlyAgent = true;
  let isOnlyHost = own.host === undefined;
  for (const { agent, host } of all) {
    isOnlyAgent &&= agent === own.agent || ownAgents.has(agent) || own.agent === byHand.agent;
    isOnlyHost &&= host === undefined;
  }
  return { ...(isOnlyAgent ? { isOnlyAgent } : {}), ...(isOnlyHost ? { isOnlyHost } : {}) };
}

type ValueOf = (session: NamedSession) => string | undefined;
const nameOf: ValueOf = ({ name }) => name;
const promptOf: ValueOf = ({ prompt, lastPrompt }) => lastPrompt ?? prompt;

function terminalOf({ terminal }: NamedSession): string | undefined {
  const pane = terminal?.env?.TMUX_PANE;
  return pane === undefined ? terminal?.device.replace("/dev/", "") : `tmux ${pane}`;
}

/** `sessionWords` are someone's own, so not every channel gets them; `sessionName` stands in their place. */
export type SessionNames = Pick<AgentEvent, "branch" | "worktree" | "sessionName" | "sessionWords">;

/** In the order in which every message and list shows them, each on one line. */
function sessionFacts({ branch, worktree, ...names }: SessionNames): string[] {
  return [printableLine(branch ?? worktree ?? ""), withinBranchOf(names) ?? ""].filter((each) => each !== "");
}

/** What tells it from the others of its branch; undefined where it is alone there. */
export function withinBranchOf({ sessionWords, sessionName }: SessionNames): string | undefined {
  return printableLine(sessionWords ?? sessionName ?? "") || undefined;
}

/** Undefined outside of git for a session that is alone in its project. */
export function sessionNameOf(names: SessionNames): string | undefined {
  return sessionFacts(names).join(", ") || undefined;
}

/** Characters. */
const maxSessionFact = 32;
const maxProject = 120;

/** The same, short enough to leave room for what the session asks. */
export function shownName(names: SessionNames): string | undefined {
  return shortFacts(names).join(", ") || undefined;
}

export function shortFacts(names: SessionNames): string[] {
  return sessionFacts(names).map((each) => cutWords(each, maxSessionFact));
}

/** `[label] project (session)`; empty where the event has no project. */
export function placeOf({ label, project, ...names }: Pick<AgentEvent, "label" | "project"> & SessionNames): string {
  const said = (text: string): string => cut(printableLine(text.slice(0, 1000)), maxProject);
  const name = shownName(names);
  const session = name === undefined ? "" : ` (${name})`;
  if (said(project) === "") return "";
  return `${label === undefined ? "" : `[${said(label)}] `}${said(project)}${session}`;
}

const shortLength = 8;

/** The last characters of an id: Codex's begin with the time, so those of one day look alike from the start. */
export function shortId(id: string): string {
  return id.slice(-shortLength);
}

/** The mute of a session with what people know that session by, in the place of its id. */
export function withSessionName<Named extends { scope: string; name: string }>(
  mute: Named,
  all: readonly NamedSession[],
  nowMs: number,
): Named {
  const own = mute.scope === "session" ? all.find(({ session }) => session === mute.name) : undefined;
  if (own === undefined) return mute;
  return { ...mute, name: `${own.project} (${shownName(namesOf(own, all, nowMs)) ?? shortId(own.session)})` };
}

/** The ids that a person means by what they typed: one in full, else those that begin or end with it, with or without `evt_`. */
export function idsMeant<Id extends string>(typed: string, ids: Iterable<Id>): Id[] {
  const all = [...new Set(ids)];
  const same = all.filter((id) => id === typed);
  const isMeant = (id: string): boolean =>
    id.startsWith(typed) || id.endsWith(typed) || id.replace(/^[a-z]+_/, "").startsWith(typed);
  return same.length > 0 ? same : all.filter(isMeant);
}
