import { findAgent } from "../../agents/index.ts";
import { type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { exitCodes, UserError } from "../../model/errors.ts";
import { nearest } from "../../rules/nearest.ts";
import type { Ask } from "../console/ask.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Throws a usage error for a word that stands where none is taken. */
export function refuseWords(verb: string, words: readonly string[]): void {
  if (words.length === 0) return;
  throw new UserError("usage.word", `${verb} takes no "${words[0]}"`, {
    hint: "agents are named with --agent",
    exitCode: exitCodes.usage,
  });
}

/** What `--agent a,b --agent c` names, each once. */
export function splitNames(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/**
 * The agents of these names, in that order. Throws a usage error for a name we do not know; `command` is what the names were
 * given to, such as `init --agent`.
 */
export function namedAgents(
  names: readonly string[],
  targets: readonly AgentTarget[],
  command: "init --agent" | "init --verify" | "uninstall --agent",
): AgentTarget[] {
  const known = targets.map(({ id }) => id);
  if (names.length === 0) {
    throw new UserError("usage.agent", "--agent needs a name", {
      hint: `one of ${known.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  }
  return names.map((name) => {
    const target = targets.find(({ id }) => id === name);
    if (target !== undefined) return target;
    const other = findAgent(name)?.runsHooksOf?.agentId;
    if (other !== undefined) {
      throw new UserError("usage.agent", `${findAgent(name)?.name} runs the hooks of ${findAgent(other)?.name}`, {
        hint: `hookbell ${command} ${other}`,
        exitCode: exitCodes.usage,
      });
    }
    throw new UserError("usage.agent", `hookbell cannot wire an agent "${name}"`, {
      hint: `${meant(name, known)}it knows ${known.join(", ")}; any other agent can pipe JSON to it, see --agent generic`,
      exitCode: exitCodes.usage,
    });
  });
}

/** People leave a part of the name out, or slip in it. */
function meant(name: string, known: readonly string[]): string {
  const parts = known.flatMap((id) =>
    id.split("-").flatMap((part) => (commonParts.includes(part) ? [] : [[part, id]])),
  );
  const slip = nearest(name, [...known, ...parts.map(([part = ""]) => part)]);
  const whole = known.find((id) => name.toLowerCase().includes(id));
  const found = whole ?? parts.find(([part]) => part === slip)?.[1] ?? slip;
  return found === undefined ? "" : `did you mean ${found}? `;
}

/** Of many agents' names, so of none's. */
const commonParts = ["cli", "code"];

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
    throw new UserError("install.noAgent", "no coding agent was found on this machine", {
      hint: `hookbell can wire ${all.map(({ id }) => id).join(", ")}; name one with --agent to wire it all the same, or see --agent generic`,
      exitCode: exitCodes.failed,
    });
  }
  if (ask === undefined) return found;
  const options = found.map(({ id, name, sign }) => ({ value: id, label: name, hint: sign ?? "" }));
  const chosen = await ask.choose("Which agents shall tell hookbell what happens?", options);
  return chosen === undefined ? undefined : found.filter(({ id }) => chosen.includes(id));
}
