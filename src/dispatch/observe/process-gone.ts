// A process that has ended: no hook and no other signal tells of it.
import { createProcessCheck, processOf } from "../../outbox/current-sessions.ts";
import { type Observer, pauseMs } from "./observer.ts";

const lookEveryMs = 5000;

export function observeProcess(): Observer {
  const check = createProcessCheck();
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches: ({ session }) => (processOf(session) === undefined ? undefined : []),
    look: ({ session }, nowMs) => check(session, nowMs),
  };
}
