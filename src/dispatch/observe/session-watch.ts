// Watches sessions with an open turn or question for what no hook tells. A transcript that does not grow costs nothing.
import { dirname } from "node:path";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { sessionAt } from "../../sessions/describe.ts";
import type { Observation } from "../../sessions/reduce.ts";
import { statIfThere } from "../../system/files/files.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { openIn } from "../plan/waiting-list.ts";
import { createObservers } from "./observers.ts";

export interface SessionWatch {
  /** Sessions may have changed. */
  reconsider(): void;
  /** What is new, if it is time to look. */
  look(): Seen[];
  finish(): void;
}

export interface Seen {
  session: SessionRecord;
  observation: Observation;
}

/** No signal tells that a process has ended. */
const lookEveryMs = 5000;
/** A transcript grows several times a second; one look reads all of it. */
const settleMs = 500;

/** `wake` is called when it is time to look. Nothing here keeps the dispatcher running. */
export function createSessionWatch({ layout, tools }: Dispatcher, wake: () => void): SessionWatch {
  const { clock } = tools;
  const observers = createObservers();
  const folders = new Map<string, () => void>();
  let lookAt = -Infinity;
  let cancelLook = (): void => {};

  const lookIn = (ms: number): void => {
    const at = clock.now() + ms;
    if (at >= lookAt && lookAt > clock.now()) return;
    lookAt = at;
    cancelLook();
    cancelLook = clock.after(ms, wake);
  };
  const openSessions = (now: number): SessionRecord[] =>
    [...openIn(layout).values()].filter((each) => /^(?:working|needsYou)$/.test(sessionAt(each, now).state.kind));
  const follow = (open: readonly SessionRecord[]): void => {
    const wanted = new Set(open.flatMap(({ transcript }) => (transcript === undefined ? [] : [dirname(transcript)])));
    for (const [folder, unwatch] of folders) {
      if (wanted.has(folder)) continue;
      unwatch();
      folders.delete(folder);
    }
    for (const folder of wanted) {
      if (folders.has(folder) || statIfThere(folder) === undefined) continue;
      folders.set(
        folder,
        watchFolder(folder, () => lookIn(settleMs)),
      );
    }
  };

  return {
    reconsider: () => lookIn(settleMs),
    look() {
      const now = clock.now();
      if (now < lookAt) return [];
      lookAt = Infinity;
      cancelLook();
      const open = openSessions(now);
      follow(open);
      if (open.length > 0) lookIn(lookEveryMs);
      return open.flatMap((session) => {
        const observation = observers.map((observe) => observe(session, now)).find((each) => each !== undefined);
        return observation === undefined ? [] : [{ session, observation }];
      });
    },
    finish() {
      cancelLook();
      for (const unwatch of folders.values()) unwatch();
    },
  };
}
