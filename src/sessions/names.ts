// What a session is called: what tells it from the others of its project, where it is, and its id as people read and type it.
import type { AgentTerminal } from "../model/agent-terminal.ts";
import type { AgentEvent } from "../model/event.ts";
import { cut, printableLine, shortenMiddle } from "../model/text.ts";
import { isLive } from "./describe.ts";
import type { Session } from "./state.ts";

export interface NamedSession extends Session {
  agent: string;
  session: string;
  branch?: string | undefined;
  worktree?: string | undefined;
  name?: string | undefined;
  prompt?: string | undefined;
  terminal?: AgentTerminal | undefined;
}

/**
 * A session alone in its project needs no name, unless its work tree is a linked one. Beside others it has the agent's
 * name for it, its branch, its work tree, its first prompt, its terminal or its id: the first that no other one has.
 */
export function namesOf(own: NamedSession, all: Iterable<NamedSession>, nowMs: number): SessionNames {
  const candidates = [branchOf, worktreeOf, wordsOf, promptOf, terminalOf];
  const unique = new Set(candidates);
  let isAlone = true;
  for (const each of all) {
    if (each.session === own.session || each.project !== own.project || !isLive(each, nowMs)) continue;
    isAlone = false;
    for (const valueOf of unique) if (valueOf(each) === valueOf(own)) unique.delete(valueOf);
    if (unique.size === 0) break;
  }
  if (isAlone) return own.worktree === undefined ? {} : { sessionName: own.branch ?? own.worktree };
  const differs = (valueOf: ValueOf): string | undefined => (unique.has(valueOf) ? valueOf(own) : undefined);
  const tree = differs(branchOf) ?? differs(worktreeOf);
  const sessionWords = differs(wordsOf) ?? (tree === undefined ? differs(promptOf) : undefined);
  return {
    sessionName: tree ?? differs(terminalOf) ?? shortId(own.session),
    ...(sessionWords === undefined ? {} : { sessionWords }),
  };
}

type ValueOf = (session: NamedSession) => string | undefined;
const branchOf: ValueOf = ({ branch }) => branch;
const worktreeOf: ValueOf = ({ worktree }) => worktree;
const wordsOf: ValueOf = ({ name }) => name;
const promptOf: ValueOf = ({ prompt }) => prompt;

function terminalOf({ terminal }: NamedSession): string | undefined {
  const pane = terminal?.env?.TMUX_PANE;
  return pane === undefined ? terminal?.device.replace("/dev/", "") : `tmux ${pane}`;
}

/** What tells a session from others of its project. `sessionWords` are someone's own, so not every channel gets them. */
export type SessionNames = Pick<AgentEvent, "sessionName" | "sessionWords">;

/** Undefined where the session is alone in its project. */
export function sessionNameOf({ sessionWords, sessionName }: SessionNames): string | undefined {
  return sessionWords ?? sessionName;
}

/** Short enough to leave room for what the session asks. The end of a branch tells more than that of a prompt. */
export function shownName(names: SessionNames): string | undefined {
  const name = sessionNameOf(names);
  if (name === undefined) return undefined;
  return shortenMiddle(printableLine(name), maxSessionName, names.sessionWords === undefined ? 1 / 2 : 0);
}

/** UTF-16 units, and characters. */
const maxSessionName = 32;
const maxProject = 120;

/** `[label] project (session)`; empty where the event has no project. */
export function placeOf({
  label,
  project,
  ...names
}: Pick<AgentEvent, "label" | "project" | "sessionName" | "sessionWords">): string {
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

/** The ids that a person means by what they typed: one in full, else those that begin or end with it. */
export function idsMeant<Id extends string>(typed: string, ids: Iterable<Id>): Id[] {
  const all = [...new Set(ids)];
  const same = all.filter((id) => id === typed);
  return same.length > 0 ? same : all.filter((id) => id.startsWith(typed) || id.endsWith(typed));
}
