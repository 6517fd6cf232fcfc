import { createRulesReader } from "../../dispatch/current-rules.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { hostName } from "../../system/process/identity.ts";
import { createSendHttp } from "../../system/network/send.ts";
import type { CommandIo } from "../console/command-io.ts";

/** The pipeline for a command that only looks: makes no folder, so that a state nobody may write can be looked at. */
export function viewDispatcher(
  io: Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">,
  rulesFile?: string,
): Dispatcher {
  const { places, env, clock, random, platform } = io;
  const layout = layoutOf(places.stateDir);
  return {
    layout,
    rules: createRulesReader(rulesFile ?? places.rulesFile, layout),
    tools: { clock, random, env, platform, http: createSendHttp(env), home: places.home, stateDir: layout.root },
    host: hostName(),
  };
}
