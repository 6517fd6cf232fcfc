import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { describeWriteError, exitCodes, PersonError } from "../../model/errors.ts";
import { ensureLayout } from "../../outbox/layout.ts";
import type { CommandIo } from "../console/command-io.ts";
import { viewDispatcher } from "./view-dispatcher.ts";

/** The pipeline for a command that writes: its folders are there. `rulesFile` is what `--config` named. */
export function openDispatcher(io: CommandIo, rulesFile?: string): Dispatcher {
  const dispatcher = viewDispatcher(io, rulesFile);
  const { layout } = dispatcher;
  try {
    ensureLayout(layout);
  } catch (error) {
    throw new PersonError(
      "state.unwritable",
      `cannot make the state folder ${layout.root}: ${describeWriteError(error)}`,
      { hint: "set HOOKBELL_STATE_DIR to a folder of your own", exitCode: exitCodes.cannotWrite },
    );
  }
  return dispatcher;
}
