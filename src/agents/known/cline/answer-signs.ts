// What Cline's CLI notes of its sessions. It runs no hook when it asks.
import { dirname } from "node:path";
import type { AnswerSigns } from "../../answer-signs.ts";
import { textOf } from "../../../model/json.ts";

/** Measured with 3.0.65. */
export const clineAnswerSigns: AnswerSigns = {
  transcriptOf: {
    place: { path: ".cline/data", moved: { env: "CLINE_DATA_DIR" } },
    path: (session) => (/^[\w-]+$/.test(session) ? `sessions/${session}/${session}.messages.json` : undefined),
  },
  status: {
    tellsOfQuestions: true,
    folderOf: (transcript) => (transcript.endsWith(".messages.json") ? dirname(transcript) : undefined),
    read({ session_id: id, status }, changedAt) {
      const session = textOf(id);
      if (session === undefined || textOf(status) === undefined) return undefined;
      return { session, isWaiting: status === "pending", isIdle: status === "idle", since: changedAt };
    },
  },
};
