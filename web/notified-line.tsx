// Who was notified of something, in one line; who was not, and why, is behind it.
import type { EventNotifications, NotificationStatus } from "../src/overview/notifications.ts";
import { agoOf, clockTime, withTimes } from "./time.ts";

/** The line of a card, whose ages run. */
export function NotifiedLine({ notified, time }: { notified: EventNotifications; time: number }) {
  const { channels } = notified;
  const reached = channels.filter(({ how }) => how === "notified" || how === "sending");
  const others = channels.filter((each) => !reached.includes(each));
  const lead =
    reached.length === 0
      ? capital(withTimes(notNotified(notified)))
      : `Notified: ${reached
          .map(({ channel, how, at, isClicked }) =>
            how === "sending"
              ? `${channel} soon`
              : `${channel} ${agoOf(time - at)}${isClicked === true ? ", clicked" : ""}`,
          )
          .join(", ")}`;
  const isSaid = others.length === 0 || (reached.length === 0 && reasonOfAll(notified) !== undefined);
  if (isSaid) return <p class="notified">{lead}</p>;
  return (
    <details class="notified">
      <summary>
        {lead}
        {reached.length === 0 ? "" : `; not ${others.map(({ channel }) => channel).join(", ")}`}
      </summary>
      {others.map((each) => (
        <p key={each.channel}>
          <b>{each.channel}</b> {withTimes(describe(each))}
        </p>
      ))}
    </details>
  );
}

/** The same in a list of the past: `phone 19:24, desktop`, `not notified: you were at the terminal`. */
export function outcomeOf(notified: EventNotifications): string {
  const reached = notified.channels.filter(({ how }) => how === "notified" || how === "sending");
  if (reached.length === 0) return notNotified(notified);
  const times = reached.map(({ at, how }) => (how === "sending" ? "soon" : clockTime(at)));
  const named = reached.map(({ channel }, index) =>
    times[index] === times[index - 1] ? channel : `${channel} ${times[index]}`,
  );
  const failed = notified.channels.filter(({ how }) => how === "failed").map(({ channel }) => `${channel} failed`);
  return [...named, ...failed].join(", ");
}

function notNotified(notified: EventNotifications): string {
  const { channels } = notified;
  const isOpen = channels.some(({ how }) => how === "deferred" || how === "retrying");
  const yet = isOpen ? " yet" : "";
  const same = reasonOfAll(notified);
  if (same !== undefined) return `not notified${yet}: ${same}`;
  return `not notified${yet}: ${channels.map((each) => `${each.channel} ${describe(each)}`).join("; ")}`;
}

/** Undefined where channels have reasons of their own. */
function reasonOfAll({ channels, why = "no rule matches" }: EventNotifications): string | undefined {
  const reasons = new Set(channels.map(({ how, why: reason }) => (how === "suppressed" ? reason : undefined)));
  const [reason] = reasons;
  if (channels.length === 0) return why;
  return reasons.size === 1 ? reason : undefined;
}

function describe({ how, until, why }: NotificationStatus): string {
  const because = why === undefined ? "" : `: ${why}`;
  const at = until === undefined ? undefined : clockTime(until);
  if (how === "deferred") return `waits${at === undefined ? "" : ` until ${at}`}${because}`;
  if (how === "retrying") return `failed, next attempt ${at === undefined ? "soon" : `at ${at}`}${because}`;
  return `${how === "failed" ? "failed" : "not notified"}${because}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
