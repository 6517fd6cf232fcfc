// How the events that hookbell's plug-in passes on from Kilo, a fork of opencode, are read: https://kilo.ai/docs
import type { Agent } from "../../dialect/agent.ts";
import { opencode } from "../opencode/payload.ts";
import { textOf } from "../../../model/json.ts";

/**
 * Escape while Kilo makes its snapshot, before the model's first word, sends no `session.error`, but `session.idle` and then
 * `session.drain.interrupted`: an answer without words is how the plug-in knows that the person stopped the turn.
 */
export const kilo: Agent = {
  ...opencode,
  id: "kilo",
  name: "Kilo",
  docs: "https://kilo.ai/docs",
  isAuthor: (payload) => payload.agent === "kilo" && textOf(payload.type) !== undefined,
  variables: { ofHooks: [], ofCommands: ["KILO"], ofProcess: "HOOKBELL_AGENT_PID" },
};
