// Tells the person that the state folder takes no more files, such as on a full disk, while hooks lose what they are given.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { notifyWithoutDisk } from "../../pipeline/notices.ts";
import { describeWriteError } from "../../model/errors.ts";
import { findWriteFault, payloadBytes, remedyFor } from "../../system/files/unwritable.ts";
import type { Service } from "../attend.ts";

/** A disk that is full again and again is told again only after this time. */
const repeatAfterMs = 60 * 60_000;

export function createDiskWatch(dispatcher: Dispatcher): Service {
  const { incoming, root } = dispatcher.layout;
  let hasFault = false;
  let toldAt = -Infinity;
  let telling = Promise.resolve();
  return {
    name: "disk watch",
    poll(now) {
      const error = findWriteFault(incoming, payloadBytes);
      const isNew = error !== undefined && !hasFault;
      hasFault = error !== undefined;
      if (isNew && now - toldAt >= repeatAfterMs) {
        toldAt = now;
        const why = describeWriteError(error);
        const { fix, command } = remedyFor(error, incoming);
        const title = "hookbell: events are being lost";
        const body = `${why}: nothing can be kept in ${root}. ${fix === undefined ? "To fix it:" : capitalised(fix)} ${command}`;
        const plain = { title, body: "hookbell status says why." };
        telling = notifyWithoutDisk(dispatcher, { title, body, plain });
      }
      // A watch alone wakes no dispatcher: hooks and sessions do.
      return { nextAt: Infinity };
    },
    stop: () => telling,
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
