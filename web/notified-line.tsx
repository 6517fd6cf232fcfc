// Who was notified of something; then who was not, and why.
import type { EventNotifications, NotificationStatus } from "../src/overview/notifications.ts";
import { agoOf, clockTime } from "./time.ts";

export function NotifiedLine({ notified: { channels, why }, time }: { notified: EventNotifications; time: number }) {
  const reached = channels.filter(({ how }) => how === "notified");
  const sending = channels.filter(({ how }) => how === "sending");
  const others = channels.filter((each) => !reached.includes(each) && !sending.includes(each));
  const isOpen = others.some(({ how }) => how === "deferred" || how === "retrying");
  return (
    <div class="notified">
      <p>
        {reached.length > 0
          ? listed(
              "Notified: ",
              reached,
              ({ at, isClicked }) => ` ${agoOf(time - at)}${isClicked === true ? ", clicked" : ""}`,
            )
          : sending.length > 0
            ? listed("Being notified: ", sending, () => "")
            : `No one was notified${isOpen ? " yet" : ""}${why === undefined || channels.length > 0 ? "" : `: ${why}`}.`}
      </p>
      {others.length === 0 ? null : (
        <details>
          <summary>
            {others.map((each, index) => (
              <span key={each.channel} class={each.how}>
                {index === 0 ? "" : " · "}
                <b>{each.channel}</b> {describe(each)}
              </span>
            ))}
          </summary>
        </details>
      )}
    </div>
  );
}

function listed(lead: string, channels: readonly NotificationStatus[], of: (channel: NotificationStatus) => string) {
  return [
    lead,
    ...channels.map((each, index) => (
      <span key={each.channel}>
        {index === 0 ? "" : ", "}
        <b>{each.channel}</b>
        {of(each)}
      </span>
    )),
  ];
}

function describe({ how, until, why }: NotificationStatus): string {
  const because = why === undefined ? "" : `: ${why}`;
  const at = until === undefined ? undefined : clockTime(until);
  if (how === "deferred") return `waits${at === undefined ? "" : ` until ${at}`}${because}`;
  if (how === "retrying") return `failed, next attempt ${at === undefined ? "soon" : `at ${at}`}${because}`;
  return `${how === "failed" ? "failed" : "not notified"}${because}`;
}
