// The sessions that wait for the person, as `status`, digests and one notification for all of them list them.
import { formatDuration } from "../model/figures/duration.ts";
import { linesOfMany } from "../model/text.ts";
import { sessionAt } from "../sessions/describe.ts";
import { questionsOf, type OpenEvent, type Session } from "../sessions/state.ts";

export interface WaitingSession {
  agent: string;
  session: string;
  project: string;
  /** The branch or the linked work tree. */
  place?: string | undefined;
  question: OpenEvent;
}

interface KnownSession extends Session {
  agent: string;
  session: string;
  branch?: string | undefined;
  worktree?: string | undefined;
}

const maxLines = 10;

/** Oldest first. With `channel`, by the questions that this channel is told of. */
export function waitingSessions(sessions: readonly KnownSession[], nowMs: number, channel?: string): WaitingSession[] {
  return sessions
    .filter((each) => sessionAt(each, nowMs).state.kind === "needsYou")
    .flatMap(({ agent, session, project = "", branch, worktree, ...rest }) => {
      const isMeant = ({ channels }: OpenEvent): boolean =>
        channel === undefined || channels?.includes(channel) === true;
      const question = questionsOf(rest).findLast(isMeant);
      return question === undefined ? [] : [{ agent, session, project, place: branch ?? worktree, question }];
    })
    .sort((a, b) => a.question.at - b.question.at);
}

/** `nameOf`: an agent's name for people, by its id. */
export function waitingMessage(
  waiting: readonly WaitingSession[],
  nowMs: number,
  nameOf: (agent: string) => string,
): { title: string; body: string } {
  const title = waiting.length === 1 ? "1 session waits for you" : `${waiting.length} sessions wait for you`;
  const lines = waiting.map((each) => waitingLine(each, isAmbiguous(each, waiting), nowMs, nameOf));
  return { title, body: linesOfMany(lines, maxLines, "more") };
}

/** Another line has the same project and agent. */
function isAmbiguous(own: WaitingSession, waiting: readonly WaitingSession[]): boolean {
  return waiting.some((each) => each !== own && each.project === own.project && each.agent === own.agent);
}

/** `shop-web (feature/cart, Claude Code, 4m): May I run npm test?` */
function waitingLine(
  { agent, project, place, question: { at, words } }: WaitingSession,
  isPlaced: boolean,
  nowMs: number,
  nameOf: (agent: string) => string,
): string {
  const facts = [...(isPlaced && place !== undefined ? [place] : []), nameOf(agent), ageOf(nowMs - at)];
  return `${project} (${facts.join(", ")})${words === undefined ? "" : `: ${words}`}`;
}

function ageOf(ms: number): string {
  return ms < 1000 ? "now" : formatDuration(Math.floor(ms / 1000) * 1000);
}
