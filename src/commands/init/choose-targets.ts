import { listTargets, type AgentTarget } from "../../install/target/agent-target.ts";
import { exitCodes, PersonError } from "../../model/errors.ts";
import type { Ask } from "../console/ask.ts";
import { namedAgents } from "./choose-agents.ts";
import type { CommandIo } from "../console/command-io.ts";

/**
 * The agents to wire: those that were named, else those found here, of which a person who can be asked chooses. Undefined
 * when they walk away from the question; a `PersonError` when there is nothing to choose from.
 */
export async function chooseTargets(
  io: Pick<CommandIo, "env" | "places" | "platform">,
  named: string[] | undefined,
  ask: Pick<Ask, "choose"> | undefined,
): Promise<AgentTarget[] | undefined> {
  const all = listTargets(io.env, io.places.home, io.platform);
  if (named !== undefined) return namedAgents(named, all, "init --agent");
  const found = all.filter(({ sign }) => sign !== undefined);
  if (found.length === 0) {
    throw new PersonError("install.noAgent", "no coding agent was found on this machine", {
      hint: `hookbell can wire ${all.map(({ id }) => id).join(", ")}; name one with --agent to wire it all the same, or see --agent generic`,
      exitCode: exitCodes.failed,
    });
  }
  if (ask === undefined) return found;
  const options = found.map(({ id, name, sign }) => ({ value: id, label: name, hint: sign ?? "" }));
  const chosen = await ask.choose("Which agents shall tell hookbell what happens?", options);
  return chosen === undefined ? undefined : found.filter(({ id }) => chosen.includes(id));
}
