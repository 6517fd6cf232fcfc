// Keeps `status-line` in the state folder: a shell script that prints what the sessions do, for bars and prompts.
import { join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { currentLine } from "../../outbox/current-sessions.ts";
import { statusLineName } from "../../outbox/layout.ts";
import { sessionWrites } from "../../outbox/sessions.ts";
import { privateDirMode } from "../../system/files/files.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Service } from "../attend.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";

/** A look takes up to 0.1 ms for each session. */
const lookAgainMs = 250;
/** Time alone makes a session unknown, and processes end of which no observer knows. */
const lookAtLeastEveryMs = 15_000;

/** Writes the script if the line has changed. Without the lease, another dispatcher does. */
export function createStatusLine({ layout, tools, rules }: Pick<Dispatcher, "layout" | "tools" | "rules">): Service {
  const { clock } = tools;
  let written: string | undefined;
  let lookAt = -Infinity;
  let seenWrites: number | undefined;
  const write = (keeper: number | undefined): void => {
    // The shells of Windows that read the script know no other program's process by its number.
    if (tools.platform === "win32") return;
    try {
      const script = scriptOf(currentLine(layout, clock.now(), rules().problems.length > 0), keeper);
      if (script !== written) writeWholeSoon(join(layout.root, statusLineName), script, privateDirMode);
      written = script;
    } catch (error) {
      // Without its line, a dispatcher still delivers: something strange may be in its place, or the disk is full.
      if (codeOf(error) === undefined) throw error;
    }
  };
  return {
    name: "status line",
    waitsForBacklog: true,
    poll(now) {
      const writes = sessionWrites(layout);
      if (writes === seenWrites && Math.abs(now - lookAt) < lookAtLeastEveryMs) return { nextAt: Infinity };
      if (now < lookAt) return { nextAt: lookAt };
      lookAt = now + lookAgainMs;
      seenWrites = writes;
      write(process.pid);
      return { nextAt: Infinity };
    },
    async stop(why) {
      // Nothing keeps the line true from now on. A script of an earlier dispatcher says itself that its keeper has ended.
      if (why === "ended" && written !== undefined) write(undefined);
    },
  };
}

/** The line has no words but ours. It gets a question mark where its dispatcher, the keeper, has ended or was killed. */
function scriptOf(line: string, keeper: number | undefined): string {
  const comment = "#!/bin/sh\n# hookbell writes this file again whenever a session changes.\n";
  if (line === "") return comment;
  if (keeper === undefined) return `${comment}echo '${line}?'\n`;
  return `${comment}if kill -0 ${keeper} 2>/dev/null; then echo '${line}'; else echo '${line}?'; fi\n`;
}
