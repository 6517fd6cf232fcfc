// Reasons of hookbell's own name times as this machine's clock shows them. The page gets them as ISO 8601, which the browser
// writes as it writes all other times.
import { formatTime, nextInstantOf, parseTimeOfDay, wallTimeAt } from "../../../model/figures/wall-clock.ts";
import type { Reasons } from "../../../console/output/show-entry.ts";
import type { EventNotifications, NotificationStatus } from "../../../overview/notifications.ts";

const named = /\b(until|at|since) ((?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) |\d{4}-\d\d-\d\d )?\d\d:\d\d(?::\d\d)?)\b/g;

/** `atMs` is when the reason was given. `untilMs` is what it names, where that is known: quiet hours may have a time zone of their own. */
export function withInstants(reason: string, atMs: number, untilMs?: number): string {
  return reason.replace(named, (whole, word: string, time: string) => {
    const instant = word === "until" && untilMs !== undefined ? untilMs : instantOf(time, atMs);
    return instant === undefined ? whole : `${word} ${new Date(instant).toISOString()}`;
  });
}

/** The next time that is written like this, at most a week ahead; a date says which day. */
function instantOf(text: string, atMs: number): number | undefined {
  const [time = "", day] = text.split(" ").toReversed();
  const minutes = parseTimeOfDay(time.slice(0, "12:00".length));
  if (minutes === undefined) return undefined;
  if (day !== undefined && /^\d/.test(day)) {
    const local = new Date(`${day}T${time}`);
    return Number.isNaN(local.getTime()) ? undefined : local.getTime();
  }
  let instant = nextInstantOf(minutes, atMs, undefined);
  for (let ahead = 0; ahead < 7; ahead += 1) {
    if (formatTime(instant, atMs, undefined) === text) return instant;
    instant = nextInstantOf(minutes, instant, undefined);
  }
  return wallTimeAt(atMs, undefined).minutes === minutes ? atMs : undefined;
}

/** A receiver's words stay as they are. */
export function notificationsForPage<Given extends EventNotifications | undefined>(given: Given): Given {
  if (given === undefined) return given;
  const channels = given.channels.map((status): NotificationStatus => {
    const { at, how, why, heldBefore, until } = status;
    const isOwn = how === "deferred" || how === "suppressed";
    return {
      ...status,
      ...(why === undefined || !isOwn ? {} : { why: withInstants(why, at, until) }),
      ...(heldBefore === undefined ? {} : { heldBefore: withInstants(heldBefore, at) }),
    };
  });
  return { ...given, channels };
}

/** Rules that matched say times of the rules file, which are no moments. */
export function reasonsForPage(reasons: Reasons, atMs: number): Reasons {
  return {
    ...reasons,
    others: reasons.others.map((line) => (line.startsWith("silent ") ? withInstants(line, atMs) : line)),
  };
}
