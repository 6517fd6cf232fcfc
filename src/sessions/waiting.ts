// The sessions that wait for the person or have failed, as `status`, digests and one notification for all of them list them.
import { quoteMark } from "../model/answer.ts";
import { type SessionNames, namesOf, onlyOnes, shownName, type NamedSession } from "./names.ts";
import { formatDuration } from "../model/figures/duration.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { linesOfMany, printable, printableLine } from "../model/text.ts";
import { isLive, oneLine, sessionAt } from "./describe.ts";
import { questionsOf, type OpenEvent } from "./state.ts";

interface ListedSession {
  agent: string;
  session: string;
  project: string;
  names: SessionNames;
  /** Sessions of other agents are known. */
  isOneOfSeveral: boolean;
}

export interface WaitingSession extends ListedSession {
  question: OpenEvent;
}

export interface FailedSession extends ListedSession {
  failure: { at: number; words: string };
}

/** Oldest first. With `channel`, by the questions that this channel is told of. Names tell them from `all` that are known. */
export function waitingSessions(
  sessions: readonly NamedSession[],
  nowMs: number,
  channel?: string,
  all: readonly NamedSession[] = sessions,
): WaitingSession[] {
  return sessions
    .filter((each) => sessionAt(each, nowMs).state.kind === "needsYou")
    .flatMap((session) => {
      const isMeant = ({ channels }: OpenEvent): boolean =>
        channel === undefined || channels?.includes(channel) === true;
      const question = questionsOf(session).findLast(isMeant);
      return question === undefined ? [] : [{ ...listed(session, all, nowMs), question }];
    })
    .sort((a, b) => a.question.at - b.question.at);
}

/** Sessions whose turn has ended with an error, or at a limit of the model's provider; oldest first. */
export function failedSessions(all: readonly NamedSession[], nowMs: number): FailedSession[] {
  return all
    .filter((each) => isLive(each, nowMs) && /^(?:failed|waitsForLimit)$/.test(sessionAt(each, nowMs).state.kind))
    .map((session) => {
      const { state, open = [] } = session;
      const words = open.findLast(({ name }) => name === "StopFailure")?.words ?? state.reason;
      return { ...listed(session, all, nowMs), failure: { at: state.since, words } };
    })
    .sort((a, b) => a.failure.at - b.failure.at);
}

function listed(own: NamedSession, all: readonly NamedSession[], nowMs: number): ListedSession {
  const { agent, session, project = "" } = own;
  const isOneOfSeveral = onlyOnes(own, all).isOnlyAgent !== true;
  return { agent, session, project, names: namesOf(own, all, nowMs), isOneOfSeveral };
}

/** An agent's name for people, by its id. */
type NameOf = (agent: string) => string;

const maxLines = 10;

/** Characters. A message of as many fits every channel that can replace one: Pushover takes 1,024. */
const maxWhole = 900;

/** Newest first. The first question is whole, and so is each that still fits, so that they can be decided on; others have a line. */
export function waitingMessage(
  waiting: readonly WaitingSession[],
  nowMs: number,
  nameOf: NameOf,
): { title: string; body: string } {
  let length = 0;
  const entries = waiting.toReversed().map((each, index) => {
    // An age would stand still.
    const since = formatTime(each.question.at, nowMs, undefined);
    const whole = wholeSessionLine(each, since, nameOf);
    length += whole.length + 1;
    return index === 0 || length <= maxWhole ? whole : sessionLine(each, { ...each.question, since, nameOf });
  });
  const [first = "", ...others] = entries;
  const rest = linesOfMany(others, maxLines - 1, "more");
  return { title: titleFor(waiting), body: [first, rest].filter(Boolean).join("\n\n") };
}

function titleFor(waiting: readonly WaitingSession[]): string {
  const [project = "", ...otherProjects] = new Set(waiting.map((each) => each.project));
  const isOfOne = project !== "" && otherProjects.length === 0 && waiting.length > 1;
  return isOfOne ? `${printableLine(project)}: ${waiting.length} sessions wait` : waitingTitle(waiting.length);
}

export function waitingTitle(count: number): string {
  return count === 1 ? "1 session waits for you" : `${count} sessions wait for you`;
}

/** The line has all of what the session asks. Lines below the first are marked, so that none looks like another session's. */
export function wholeSessionLine(each: WaitingSession, since: string, nameOf: NameOf): string {
  const words = each.question.words;
  const marked = words === undefined ? undefined : printable(words).replaceAll("\n", `\n${quoteMark}`);
  return sessionLine(each, { words: marked, since, nameOf }, (text) => text);
}

/** `shop-web (feature/cart, Claude Code, 4m): run \`npm test\`?`; `since` is an age or a time. */
export function sessionLine(
  { agent, project, names, isOneOfSeveral }: ListedSession,
  { words, since, nameOf }: { words?: string | undefined; since: string; nameOf: NameOf },
  shorten: (words: string) => string = oneLine,
): string {
  const name = shownName(names);
  const facts = [...(name === undefined ? [] : [name]), ...(isOneOfSeveral ? [nameOf(agent)] : []), since];
  const head = printableLine(`${project} (${facts.join(", ")})`);
  return words === undefined ? head : `${head}: ${shorten(words)}`;
}

/** `now`, `41s`, `2h 5m` */
export function ageOf(ms: number): string {
  return ms < 1000 ? "now" : formatDuration(Math.floor(ms / 1000) * 1000);
}
