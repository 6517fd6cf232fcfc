import { describeWriteError, exitCodes, PersonError } from "../model/errors.ts";
import { createRulesReader } from "../dispatch/current-rules.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { ensureLayout, layoutOf } from "../outbox/layout.ts";
import { hostName } from "../system/host.ts";
import { createSendHttp } from "../system/send-http.ts";
import type { CommandIo } from "./command-io.ts";

/** The pipeline on this person's state folder and rules; `rulesFile` is what `--config` named. */
export function openDispatcher(io: CommandIo, rulesFile?: string): Dispatcher {
  const { places, env, clock, random, platform } = io;
  const layout = layoutOf(places.stateDir);
  try {
    ensureLayout(layout);
  } catch (error) {
    throw new PersonError(
      "state.unwritable",
      `cannot make the state folder ${layout.root}: ${describeWriteError(error)}`,
      {
        hint: "set HOOKBELL_STATE_DIR to a folder of your own",
        exitCode: exitCodes.cannotWrite,
      },
    );
  }
  return {
    layout,
    rules: createRulesReader(rulesFile ?? places.rulesFile, layout),
    tools: { clock, random, env, platform, http: createSendHttp(env), home: places.home, stateDir: layout.root },
    host: hostName(),
  };
}
