// Who was told of something, who was not, and why.
import type { Telling } from "../src/board/told.ts";
import { agoOf, clockTime } from "./time.ts";

const verbs = {
  sending: "is being told",
  held: "waits",
  told: "told",
  retrying: "failed, is tried again",
  failed: "failed",
  notTold: "not told",
} as const;

export function ToldLine({ told, time }: { told: Telling; time: number }) {
  if (told.channels.length === 0) {
    return <p class="told">{told.why === undefined ? "No channel was told." : `No channel was told: ${told.why}.`}</p>;
  }
  return (
    <ul class="told" aria-label="who was told">
      {told.channels.map(({ channel, how, at, why, until, isClicked }) => (
        <li key={channel} class={how}>
          <b>{channel}</b> {verbs[how]}
          {how === "told" ? ` ${agoOf(time - at)}` : ""}
          {isClicked === true ? ", clicked" : ""}
          {until === undefined || how === "told" ? "" : ` until ${clockTime(until)}`}
          {why === undefined ? "" : `: ${why}`}
        </li>
      ))}
    </ul>
  );
}
