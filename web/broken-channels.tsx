// Says once, above all sessions, which channels reach no one now.
import type { BrokenChannel } from "../src/wings/page/contract.ts";
import { addressOf } from "./route.ts";
import { whenOf } from "./time.ts";

export function BrokenChannels({ channels }: { channels: readonly BrokenChannel[] }) {
  if (channels.length === 0) return null;
  return (
    <section class="session isBad banner" role="status">
      {channels.map(({ channel, why, at }) => (
        <p key={channel}>
          <b>{channel}</b> does not reach you{at === undefined ? "" : `, last tried ${whenOf(at)}`}: {why}
        </p>
      ))}
      <p>
        <a href={addressOf({ tab: "deliveries", session: undefined })}>See all channels</a>
      </p>
    </section>
  );
}
