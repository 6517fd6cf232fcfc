// The assumptions of `explain`: another time, another presence, another age of the turn.
import type { Presence } from "../../policies/presence.ts";
import { instantOf, parseTimeOfDay, wallTimeAt } from "../../model/figures/wall-clock.ts";
import { parseDuration } from "../../model/figures/duration.ts";
import { usageError } from "../../model/errors.ts";
import { suggest } from "../../rules/nearest.ts";
import { personStates } from "../help/inspect.ts";

const dayMs = 24 * 60 * 60_000;

const presenceOf: Record<(typeof personStates)[number], Presence> = {
  away: { idleMs: dayMs },
  here: { idleMs: 0 },
  locked: { isLocked: true },
  unlocked: { isLocked: false },
  focused: { isFocused: true },
  unfocused: { isFocused: false },
};

export interface Supposed {
  /** Milliseconds since the epoch. */
  at: number;
  presence: Presence | undefined;
  turnStartedAt: number | undefined;
}

export function readSupposed(
  values: { at?: string | undefined; state?: string | undefined; "session-age"?: string | undefined },
  nowMs: number,
): Supposed {
  const at = values.at === undefined ? nowMs : readTime(values.at, nowMs);
  const { "session-age": givenAge } = values;
  const age = givenAge === undefined ? undefined : parseDuration(givenAge);
  if (givenAge !== undefined && age === undefined)
    throw usageError("explain", `${JSON.stringify(givenAge)} is not a duration`, "hookbell explain --session-age 3m");
  return { at, presence: readStates(values.state), turnStartedAt: age === undefined ? undefined : at - age };
}

/** Local time; today if there is no date. */
function readTime(text: string, nowMs: number): number {
  const [, date, time = ""] = /^(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}:\d{2})$/.exec(text.trim()) ?? [];
  const minutes = parseTimeOfDay(time);
  const day = date === undefined ? wallTimeAt(nowMs, undefined).day : Date.parse(`${date}T00:00:00Z`) / dayMs;
  if (minutes === undefined || Number.isNaN(day)) {
    throw usageError(
      "explain",
      `${JSON.stringify(text)} is not a time`,
      'hookbell explain --at 23:30, or --at "2026-11-28 23:30"',
    );
  }
  return instantOf(day, minutes, undefined);
}

function readStates(text: string | undefined): Presence | undefined {
  if (text === undefined) return undefined;
  const presence: Presence = {};
  for (const word of text.split(",").map((each) => each.trim())) {
    const state = personStates.find((each) => each === word);
    if (state === undefined)
      throw usageError("explain", `there is no state ${JSON.stringify(word)}`, suggest(word, personStates, "states"));
    Object.assign(presence, presenceOf[state]);
  }
  return presence;
}
