// Says once, above all sessions, which channels reach no one now.
import type { BrokenChannel } from "../src/wings/page/contract.ts";
import { addressOf } from "./route.ts";
import { ageOf, useNow, whenOf } from "./time.ts";

export function BrokenChannels({ channels }: { channels: readonly BrokenChannel[] }) {
  const time = useNow();
  if (channels.length === 0) return null;
  return (
    <section class="session isBad banner" role="status">
      {channels.map(({ channel, why, at, nextAt }) => (
        <p key={channel}>
          <b>{channel}</b> does not reach you{at === undefined ? "" : `, last tried ${whenOf(at)}`}: {why}
          {againIn(nextAt, time)}
        </p>
      ))}
      <p>
        <a href={addressOf({ tab: "deliveries", session: undefined })}>See all channels</a>
      </p>
    </section>
  );
}

/** A time that has passed says nothing. */
export function againIn(nextAt: number | undefined, time: number): string {
  return nextAt === undefined || nextAt <= time ? "" : `; next attempt in ${ageOf(nextAt - time)}`;
}
