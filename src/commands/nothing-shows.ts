import { probe } from "../dispatch/probe.ts";
import type { CommandIo } from "./command-io.ts";
import { viewDispatcher } from "./view-dispatcher.ts";

/** What the built-in rules can do here: false where this machine has neither a screen nor speakers to reach. */
export async function canBuiltInRulesReachYou(
  io: Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">,
): Promise<boolean> {
  const dispatcher = viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  if (origin !== "builtIn") return true;
  const results = await Promise.all(Object.values(rules.channels).map((channel) => probe(dispatcher, channel)));
  return results.some(({ status }) => status === "ok");
}
