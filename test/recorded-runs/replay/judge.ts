// Judges a replayed run: how long the shown state was the true one, and how long a wrong one stayed.
import type { StateKind } from "../../../src/sessions/state.ts";
import type { Replayed, TrueState } from "./replay.ts";

/** Times in milliseconds. */
export interface WrongSpell {
  seat: string;
  from: number;
  forMs: number;
  /** Of this time, how long the agent gave no sign of the change. */
  silentMs: number;
  truth: readonly StateKind[];
  shown: StateKind | "nothing";
  /** What made the truth. */
  why: string;
  isNight: boolean;
}

/** Longer than the promise, after the agent's first sign; or the agent gives no sign at all. */
export function isLong({ forMs, silentMs }: Pick<WrongSpell, "forMs" | "silentMs">, toleranceMs = 0): boolean {
  return forMs - silentMs > promisedMs + toleranceMs || silentMs > slowestAgentMs;
}

/** The delay that the project promises for what a hook or a line of the transcript tells. */
const promisedMs = 2000;
/** Agents take so long to run their first hook on a busy machine. */
const slowestAgentMs = 8000;

export interface Verdict {
  /** Without nights. */
  trueMs: number;
  allMs: number;
  wrong: WrongSpell[];
  nights: number;
  /** Nights at whose end the shown state was the true one. */
  trueNights: number;
  stuck: number;
}

export function judge({ seats, signs, nights, endsAt, stuck }: Replayed): Verdict {
  const verdict: Verdict = { trueMs: 0, allMs: 0, wrong: [], nights: 0, trueNights: 0, stuck };
  for (const [seat, { shown, truth }] of seats) {
    const begin = truth[0]?.at ?? endsAt;
    const times = [...shown, ...truth]
      .map(({ at }) => at)
      .concat(endsAt, ...nights.flatMap(({ from, to }) => [from, to]));
    const points = [...new Set(times.filter((at) => at >= begin))].toSorted((a, b) => a - b);
    let last: WrongSpell | undefined;
    for (const [index, at] of points.slice(0, -1).entries()) {
      const until = points[index + 1] ?? at;
      const isNight = nights.some(({ from, to }) => at >= from && until <= to);
      const now = truth.findLast((each) => each.at <= at);
      const { kind } = shown.findLast((each) => each.at <= at) ?? { kind: "nothing" as const };
      const isTrue = now !== undefined && kind !== "nothing" && now.is.includes(kind);
      if (isNight && nights.some(({ to }) => to === until)) {
        verdict.nights += 1;
        if (isTrue) verdict.trueNights += 1;
      }
      if (!isNight) verdict.allMs += until - at;
      if (!isNight && isTrue) verdict.trueMs += until - at;
      if (isTrue || now === undefined) {
        last = undefined;
      } else if (last !== undefined && last.shown === kind) {
        last.forMs += until - at;
        last.isNight ||= isNight;
      } else {
        const changedAt = changeTo(now, truth);
        const silentMs = Math.max(at, signs.find((sign) => sign >= changedAt) ?? Infinity) - at;
        last = { seat, from: at, forMs: until - at, silentMs, truth: now.is, shown: kind, why: now.why, isNight };
        verdict.wrong.push(last);
      }
    }
  }
  for (const spell of verdict.wrong) spell.silentMs = Math.min(spell.silentMs, spell.forMs);
  return verdict;
}

/** The script may not know the moment: the change begins where one of the new states may be true. */
function changeTo(now: TrueState, truth: readonly TrueState[]): number {
  let first = now;
  for (const each of truth.slice(0, truth.indexOf(now)).toReversed()) {
    if (!each.is.some((kind) => now.is.includes(kind))) break;
    first = each;
  }
  return first.at;
}
