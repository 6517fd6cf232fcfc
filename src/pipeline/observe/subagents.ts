// The end of a turn's subagents that work on after it, where each has a transcript of its own and no hook need tell of it.
import { dirname } from "node:path";
import { hiddenPath } from "../../outbox/sessions.ts";
import { type Observer, pauseMs } from "./observer.ts";
import type { TranscriptReader } from "./transcript.ts";

/** Some file systems do not tell of changes. */
const lookEveryMs = 5000;
/** The line that ended a turn is near the end of the file. */
const tailBytes = 64 * 1024;

export function observeSubagents(reader: TranscriptReader): Observer {
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches({ subagents }) {
      if (subagents.length === 0) return undefined;
      return [...new Set(subagents.map(({ transcript }) => dirname(hiddenPath(transcript) ?? transcript)))];
    },
    look({ signs, subagents }, nowMs) {
      const over = subagents.find(({ transcript, since }) => {
        const path = hiddenPath(transcript);
        const followed = path === undefined ? undefined : reader.read(signs, path, nowMs, tailBytes);
        // One whose transcript has gone is not waited for.
        return followed === undefined || followed.overAt > since;
      });
      if (over === undefined) return undefined;
      return { kind: "subagentOver", subagent: over.session, source: "transcript", at: nowMs };
    },
  };
}
