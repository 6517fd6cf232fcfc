// Finds the project of an event, what its session is known by, and where the session runs.
import type { AgentEvent } from "../../model/event.ts";
import { isHookChanged } from "../../model/own-events.ts";
import { isSameFolder, lastPart } from "../../model/places/folder.ts";
import { shortenMiddle } from "../../model/text.ts";
import { maskText, originalOf } from "../../model/privacy/originals.ts";
import { projectLeft } from "../../model/privacy/scrub-event.ts";
import { preview } from "../../model/privacy/scrub.ts";
import { isSameKnown } from "../../answers/asker.ts";
import { processesOf, processOf } from "../../outbox/current-sessions.ts";
import { publishedIdIn } from "../../outbox/incoming.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { findWorkTree, type WorkTree } from "../../system/files/git.ts";
import { type LookAtProcess, processLook } from "../../system/process/facts.ts";
import { isAlive, isStillRunning } from "../../system/process/identity.ts";

/** The project is where the session began: an agent that changes its folder stays in it. `here` is the event's work tree. */
export function withProject(
  event: AgentEvent,
  here: WorkTree | undefined,
  begunIn: string | undefined,
  home: string,
): AgentEvent {
  if (event.cwd === "") return event;
  const start = begunIn === undefined || isSameFolder(begunIn, event.cwd) ? here : findWorkTree(begunIn, home);
  const project = (begunIn === undefined ? here : start)?.repository ?? lastPart(begunIn ?? event.cwd);
  // What an agent would run is the same on each branch that has the file.
  if (isHookChanged(event)) return { ...event, project };
  return {
    ...event,
    project,
    ...(here?.branch === undefined ? {} : { branch: here.branch }),
    ...(here?.worktree === undefined ? {} : { worktree: here.worktree }),
  };
}

/** The names before a credential in them was masked, as far as this process knows them. */
export function withOriginals(event: AgentEvent): AgentEvent {
  return { ...event, ...placeIn(event, originalOf) };
}

export function maskNames(event: AgentEvent): AgentEvent {
  const shown = { ...event, ...placeIn(event, maskText) };
  return { ...shown, project: projectLeft(event, shown) };
}

/** Where the session began: most stay there, so the event's own folder is the one whose name was masked. */
export function folderBefore({ folder }: SessionRecord, cwd: string): string | undefined {
  if (folder === undefined) return undefined;
  return folder === maskText(cwd) ? cwd : originalOf(folder);
}

/** Where a session runs, of which records keep more than one event. */
function placeIn(
  { cwd, project, branch, worktree }: AgentEvent,
  change: (text: string) => string,
): Partial<AgentEvent> {
  return {
    cwd: change(cwd),
    project: change(project),
    ...(branch === undefined ? {} : { branch: change(branch) }),
    ...(worktree === undefined ? {} : { worktree: change(worktree) }),
  };
}

/** Undefined for a session of this machine: another one has looked at its own folders. */
export function withProjectOfHost(
  event: AgentEvent,
  { toldAt, project, branch, worktree }: SessionRecord,
): AgentEvent | undefined {
  return toldAt === undefined ? undefined : { ...event, project: project ?? event.project, branch, worktree };
}

/** Where the session runs, if that is another machine. */
export function hostAfter({
  remoteHost: host,
  position,
}: {
  remoteHost?: string | undefined;
  position: string;
}): Partial<SessionRecord> {
  return host === undefined ? {} : { host, isOfFleet: publishedIdIn(position) !== undefined };
}

export function detailsAfter(
  { folder, name, prompt, lastPrompt }: SessionRecord,
  { name: event, cwd, branch, worktree, means }: AgentEvent,
  { session_title: title, prompt: words }: Readonly<Record<string, unknown>>,
  isPromptKept: boolean,
): Partial<SessionRecord> {
  const isPrompt = event === "UserPromptSubmit" && means !== "resumed";
  return {
    folder: folder === undefined || event === "SessionStart" ? cwd : folder,
    branch,
    worktree,
    name: typeof title === "string" && title !== "" ? preview(title) : name,
    prompt: isPromptKept ? (prompt ?? (isPrompt ? promptStart(words) : undefined)) : undefined,
    lastPrompt: isPromptKept ? (isPrompt ? lastPromptAfter(lastPrompt, words) : lastPrompt) : undefined,
  };
}

/** Commands, and what an agent adds by itself, are left out. */
function promptStart(prompt: unknown): string | undefined {
  return typeof prompt !== "string" || /^\s*(?:[/<#]|$)/.test(prompt) ? undefined : preview(prompt);
}

/** After what an agent adds by itself, such as the end of a task in the background, the person's own prompt goes on. */
function lastPromptAfter(before: string | undefined, prompt: unknown): string | undefined {
  if (typeof prompt !== "string") return undefined;
  return /^\s*(?:[<#]|$)/.test(prompt) ? before : preview(prompt, shortenMiddle);
}

const maxEarlier = 32;

/**
 * The processes of the record before that still run and that the new place lacks: an agent could otherwise name another one, and
 * then pass for the person. Where there are too many, the first ones stay, for the agent itself comes before what it starts.
 */
export function earlierAfter(
  before: SessionRecord,
  place: Pick<SessionRecord, "process" | "terminal">,
  look: LookAtProcess = processLook(),
): SessionRecord["earlierProcesses"] {
  const now = [place.process, place.terminal].filter((each) => each !== undefined);
  const earlier = processesOf(before).filter(
    (each, index, all) =>
      !now.some((other) => isSameKnown(each, other)) &&
      all.findIndex((other) => isSameKnown(each, other)) === index &&
      isStillRunning(each, look),
  );
  return earlier.length === 0 ? undefined : earlier.slice(0, maxEarlier).map(({ pid, start }) => ({ pid, start }));
}

/** A session that is resumed elsewhere lives, although the process in its old place has ended. */
export function hasMoved(before: SessionRecord, { callerPids }: { callerPids: readonly number[] }): boolean {
  const known = processOf(before);
  return known !== undefined && !isStillRunning(known) && callerPids.some(isAlive);
}
