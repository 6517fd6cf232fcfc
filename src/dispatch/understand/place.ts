// Names the project and the session of an event in words that a person knows.
import type { AgentEvent } from "../../model/event.ts";
import { lastPart } from "../../model/text.ts";
import { preview } from "../../model/privacy/scrub.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { findWorkTree, type WorkTree } from "../../system/files/git.ts";

/** A session that has been silent for longer does not count. */
const aliveMs = 2 * 60 * 60 * 1000;

/** The project is where the session began: an agent that changes its folder stays in it. `here` is the event's work tree. */
export function withProject(
  event: AgentEvent,
  here: WorkTree | undefined,
  begunIn: string | undefined,
  home: string,
): AgentEvent {
  if (event.cwd === "") return event;
  const start = begunIn === undefined || begunIn === event.cwd ? here : findWorkTree(begunIn, home);
  const project = (begunIn === undefined ? here : start)?.repository ?? lastPart(begunIn ?? event.cwd);
  return {
    ...event,
    project,
    ...(here?.branch === undefined ? {} : { branch: here.branch }),
    ...(here?.worktree === undefined ? {} : { worktree: here.worktree }),
  };
}

export function placeAfter(
  { folder, name, prompt }: SessionRecord,
  { name: event, cwd, branch, worktree }: AgentEvent,
  { session_title: title, prompt: words }: Readonly<Record<string, unknown>>,
  isPromptKept: boolean,
): Partial<SessionRecord> {
  return {
    folder: folder === undefined || event === "SessionStart" ? cwd : folder,
    branch,
    worktree,
    name: typeof title === "string" && title !== "" ? preview(title) : name,
    prompt: isPromptKept && event === "UserPromptSubmit" ? (promptStart(words) ?? prompt) : prompt,
  };
}

/** Commands, and what an agent adds by itself, are left out. */
function promptStart(prompt: unknown): string | undefined {
  return typeof prompt !== "string" || /^\s*(?:[/<#]|$)/.test(prompt) ? undefined : preview(prompt);
}

/** Tells the session from others of its project: by name, branch, work tree, prompt or terminal. */
export function namesOf(
  own: SessionRecord,
  others: readonly SessionRecord[],
): Pick<AgentEvent, "sessionName" | "sessionWords"> {
  const isBeside = (each: SessionRecord): boolean =>
    each.session !== own.session &&
    each.project === own.project &&
    each.helperOf === undefined &&
    each.state.kind !== "gone" &&
    own.lastSeenAt - each.lastSeenAt < aliveMs;
  // A linked work tree is its repository and its branch.
  if (!others.some(isBeside)) return own.worktree === undefined ? {} : { sessionName: own.branch ?? own.worktree };
  const differs = (valueOf: (record: SessionRecord) => string | undefined): string | undefined => {
    const value = valueOf(own);
    if (value === undefined) return undefined;
    return others.some((each) => valueOf(each) === value && isBeside(each)) ? undefined : value;
  };
  const tree = differs(({ branch }) => branch) ?? differs(({ worktree }) => worktree);
  const sessionName = tree ?? differs(terminalOf);
  const sessionWords = differs(({ name }) => name) ?? (tree === undefined ? differs((each) => each.prompt) : undefined);
  return {
    ...(sessionName === undefined ? {} : { sessionName }),
    ...(sessionWords === undefined ? {} : { sessionWords }),
  };
}

function terminalOf({ terminal }: SessionRecord): string | undefined {
  const pane = terminal?.env?.TMUX_PANE;
  return pane === undefined ? terminal?.device.replace("/dev/", "") : `tmux ${pane}`;
}
