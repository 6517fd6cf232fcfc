// Sets what would have been told beside what was told.
import { type QuietHours, quietUntil } from "../../policies/quiet-hours.ts";
import { wallTimeAt } from "../../model/figures/wall-clock.ts";
import type { PastQuestion, History, PastNotification } from "./history.ts";
import type { Change, ReplayFigures, QuestionDelays } from "./report.ts";

/** `at` is when it was sent, or else would have been. */
export interface Difference extends Change, Pick<PastNotification, "at" | "event" | "channel" | "about"> {}

export interface Comparison {
  was: ReplayFigures;
  wouldBe: ReplayFigures;
  /** Oldest first. */
  differences: Difference[];
  /** Oldest first. */
  questions: ComparedQuestion[];
}

/** `at` is when it was asked. */
export interface ComparedQuestion extends QuestionDelays {
  at: number;
  about: Record<string, string>;
}

/** A send takes a moment, a replayed one does not. */
const sameTimeMs = 5000;
/** Where no rules say when it is quiet. Minutes since midnight, on each day. */
const night: QuietHours = {
  ranges: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 22 * 60, to: 7 * 60 }],
  breakThrough: [],
};

/** `quietHours` say when it is night, on both sides alike. */
export function compare(was: History, wouldBe: History, quietHours: QuietHours = night): Comparison {
  return {
    was: figuresOf(was, quietHours),
    wouldBe: figuresOf(wouldBe, quietHours),
    differences: differencesOf(was, wouldBe),
    questions: questionsOf(was, wouldBe),
  };
}

function figuresOf({ told, questions }: History, quietHours: QuietHours): ReplayFigures {
  const perDay: ReplayFigures["perDay"] = {};
  let atNight = 0;
  for (const { at, channel } of told.values()) {
    const day = dayOf(at);
    const counts = (perDay[day] ??= {});
    counts[channel] = (counts[channel] ?? 0) + 1;
    if (quietUntil(quietHours, at) !== undefined) atNight += 1;
  }
  const delays = [...questions.values()].flatMap((each) => delayOf(each) ?? []).sort((a, b) => a - b);
  return {
    notifications: told.size,
    notArrived: [...told.values()].filter(({ hasArrived }) => !hasArrived).length,
    perDay,
    atNight,
    questions: {
      asked: questions.size,
      notified: delays.length,
      medianMs: delays[Math.floor(delays.length / 2)],
      latestMs: delays.at(-1),
    },
  };
}

function questionsOf(was: History, wouldBe: History): ComparedQuestion[] {
  return [...was.questions.values()]
    .map((each) => ({
      at: each.at,
      about: each.about,
      wasMs: delayOf(each),
      wouldBeMs: delayOf(wouldBe.questions.get(each.event)),
    }))
    .sort((a, b) => a.at - b.at);
}

function delayOf(question: PastQuestion | undefined): number | undefined {
  return question?.toldAt === undefined ? undefined : Math.max(0, question.toldAt - question.at);
}

/** Local time. */
function dayOf(at: number): string {
  return new Date(wallTimeAt(at, undefined).day * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

function differencesOf(was: History, wouldBe: History): Difference[] {
  const found: Difference[] = [];
  const note = ({ at, event, channel, about }: PastNotification, what: Difference["what"], laterMs?: number): void => {
    found.push({ at, what, ...(laterMs === undefined ? {} : { laterMs }), event, channel, about });
  };
  for (const each of was.told.values()) {
    const other = wouldBe.told.get(each.id);
    if (other === undefined) note(each, "less");
    else if (Math.abs(other.at - each.at) > sameTimeMs) note(each, "moved", other.at - each.at);
  }
  for (const each of wouldBe.told.values()) if (!was.told.has(each.id)) note(each, "more");
  return found.sort((a, b) => a.at - b.at);
}
