// Tells the person that the state folder takes no more files, such as on a full disk, while hooks lose what they are given.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { findWriteFault, payloadBytes } from "../../system/files/unwritable.ts";
import type { Service } from "../attend.ts";
import { notifyOfDisk } from "../disk-notice.ts";

export function createDiskWatch(dispatcher: Dispatcher): Service {
  let hasFault = false;
  let telling = Promise.resolve();
  return {
    name: "disk watch",
    poll() {
      const error = findWriteFault(dispatcher.layout.incoming, payloadBytes);
      if (error !== undefined && !hasFault) telling = notifyOfDisk(dispatcher, error);
      hasFault = error !== undefined;
      // A watch alone wakes no dispatcher: hooks and sessions do.
      return { nextAt: Infinity };
    },
    stop: () => telling,
  };
}
