// Looks at `hookbell sessions` while a script plays with a real agent: does it list the sessions that there are, each with
// the state that is true on its screen?
import { setTimeout as sleep } from "node:timers/promises";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { publicName } from "../../../src/sessions/public-words.ts";
import type { StateKind } from "../../../src/sessions/state.ts";
import type { Witness } from "../../recorded-runs/record/script.ts";
import type { AgentSession } from "../../support/agents/agent-session.ts";
import type { AgentTerminal } from "../../support/agents/agent-terminal.ts";

export interface Look {
  /** What made the truth. */
  why: string;
  /** The states that are true, of each terminal. */
  truth: string[][];
  /** The states of the listed sessions. */
  shown: string[];
  isRight: boolean;
  /** What the terminals showed. */
  screens: string[];
}

export interface Looker extends Witness {
  /** Resolves when no look is to come. Looks at a moment at which the truth was changing do not count. */
  judged(): Promise<Look[]>;
}

interface Truth {
  seat: string;
  at: number;
  is: readonly StateKind[];
  why: string;
}

interface Taken {
  from: number;
  until: number;
  shown: string[];
  screens: string[];
}

/** A state is shown so soon. */
const promisedMs = 2000;
/** Some signs come later, and must not change what is shown. */
const laterMs = 1500;

export function startLooker({ project }: AgentSession): Looker {
  const truths: Truth[] = [];
  const terminals = new Map<string, AgentTerminal>();
  const taken: Taken[] = [];
  const coming = new Set<Promise<void>>();

  const look = async (): Promise<void> => {
    const from = Date.now();
    const { stdout } = await project.run(["sessions", "--json"]);
    const until = Date.now();
    const { sessions } = JSON.parse(stdout) as { sessions: { state: string }[] };
    const screens = [...terminals.values()].map((terminal) => terminal.screen().trim());
    taken.push({ from, until, shown: sessions.map(({ state }) => state), screens });
  };

  return {
    truth(seat, is, why, at = Date.now()) {
      // The recorded runs leave open what hookbell may not know.
      truths.push({ seat, at, is: is.filter((kind) => kind !== "unknown"), why });
      const looking = sleep(Math.max(0, at + promisedMs - Date.now())).then(look);
      coming.add(looking);
      void looking.finally(() => coming.delete(looking));
    },
    async rest() {
      await sleep(laterMs);
      await look();
    },
    // Whose session is whose does not matter: all of them must be listed.
    claim() {},
    opened: (seat, terminal) => void terminals.set(seat, terminal),
    lastSession: () => listSessions(project.layout).toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)[0]?.session,
    async judged() {
      while (coming.size > 0) await Promise.all(coming);
      return taken.flatMap((each) => judge(each, truths) ?? []);
    },
  };
}

/** Nothing where the truth was changing. Some truths are stated only when the script knows that nothing else came. */
function judge({ from, until, shown, screens }: Taken, truths: readonly Truth[]): Look | undefined {
  const seats = [...new Set(truths.map(({ seat }) => seat))];
  const at = (ms: number): Truth[] =>
    seats.flatMap(
      (seat) =>
        truths
          .filter((truth) => truth.seat === seat && truth.at <= ms)
          .toSorted((a, b) => a.at - b.at)
          .at(-1) ?? [],
    );
  const [before, now] = [at(from - promisedMs), at(until)];
  const isChanging = now.some((truth, index) => truth !== before[index] || isBetween(truth));
  if (now.length === 0 || now.length !== before.length || isChanging) return undefined;
  const truth = now.map(({ is }) => is.map(publicName));
  const why = now.map((each) => each.why).join(", and ");
  return { why, truth, shown, isRight: fits(truth, shown), screens };
}

/** The script knows what was true before and what is true then, and not the moment between. */
function isBetween({ is }: Truth): boolean {
  return is.length > 1 && is.includes("working");
}

/** Whether each listed session has the state of a terminal of its own, and no terminal is without one that must have it. */
function fits(truth: readonly string[][], shown: readonly string[]): boolean {
  const [first, ...others] = truth;
  if (first === undefined) return shown.length === 0;
  if (first.includes("ended") && fits(others, shown)) return true;
  return shown.some((state, index) => first.includes(state) && fits(others, shown.toSpliced(index, 1)));
}
