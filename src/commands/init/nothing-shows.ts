import { probe } from "../../dispatch/send/probe.ts";
import type { CommandIo } from "../console/command-io.ts";
import { viewDispatcher } from "../pipeline/view-dispatcher.ts";

type Io = Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">;

/** Says so where the built-in rules apply and this machine has nothing that they could use. */
export async function sayIfNothingShows(io: Io & Pick<CommandIo, "stdout">): Promise<void> {
  if (await canBuiltInRulesReachYou(io)) return;
  io.stdout("nothing here can show or sound: add a channel: hookbell channels add\n");
}

/** What the built-in rules can do here: false where this machine has neither a screen nor speakers to reach. */
async function canBuiltInRulesReachYou(io: Io): Promise<boolean> {
  const dispatcher = viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  if (origin !== "builtIn") return true;
  const results = await Promise.all(Object.values(rules.channels).map((channel) => probe(dispatcher, channel)));
  return results.some(({ status }) => status === "ok");
}
