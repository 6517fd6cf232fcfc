// Chooses the agents for `init` and `uninstall`, from a flag or a question.
import { findAgent } from "../../agents/index.ts";
import { agentsInUse, type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { UserError, usageError } from "../../model/errors.ts";
import { nearest } from "../../rules/nearest.ts";
import type { Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";

/** init and uninstall take no arguments. */
export function refuseWords(verb: string, words: readonly string[]): void {
  if (words.length === 0) return;
  throw usageError(
    "word",
    `unexpected argument "${words[0]}"`,
    `to choose agents: hookbell ${verb} --agent ${words[0]}`,
  );
}

/** The names in `--agent a,b --agent c`, without duplicates. */
export function splitNames(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Throws a usage error for an unknown name. `command` is the flag with the names. */
export function namedAgents<Target extends Pick<AgentTarget, "id">>(
  names: readonly string[],
  targets: readonly Target[],
  command: "init --agent" | "init --verify" | "uninstall --agent" | "remote add --agent",
): Target[] {
  const known = targets.map(({ id }) => id);
  if (names.length === 0) {
    throw usageError("agent", "--agent needs a name", `one of ${known.join(", ")}`);
  }
  return names.map((name) => {
    const target = targets.find(({ id }) => id === name);
    if (target !== undefined) return target;
    const other = findAgent(name)?.runsHooksOf?.agentId;
    if (other !== undefined) {
      throw usageError(
        "agent",
        `${findAgent(name)?.name} runs the hooks of ${findAgent(other)?.name}`,
        `hookbell ${command} ${other}`,
      );
    }
    throw usageError(
      "agent",
      `there is no agent "${name}"`,
      `${meantAgent(name, known)}agents: ${known.join(", ")}; for any other: hookbell init --agent generic`,
    );
  });
}

/** The question whether it was meant, with a blank behind it; empty where none is near. People shorten or misspell names. */
export function meantAgent(name: string, known: readonly string[]): string {
  const parts = known.flatMap((id) =>
    id.split("-").flatMap((part) => (commonParts.includes(part) ? [] : [[part, id]])),
  );
  const near = nearest(name, [...known, ...parts.map(([part = ""]) => part)]);
  const whole = known.find((id) => name.toLowerCase().startsWith(id));
  const found = whole ?? parts.find(([part]) => part === near)?.[1] ?? near;
  return found === undefined ? "" : `did you mean ${found}? `;
}

/** Words that many names share identify none of them. */
const commonParts = ["cli", "code"];

/** The named agents, or the installed ones. Throws where there are none. */
export function findTargets(
  io: Pick<CommandIo, "env" | "places" | "platform">,
  named: string[] | undefined,
): AgentTarget[] {
  const all = listTargets(io.env, io.places.home, io.platform);
  if (named !== undefined) return namedAgents(named, all, "init --agent");
  const found = agentsInUse(all);
  if (found.length === 0) {
    throw new UserError("install.noAgent", "no coding agent was found on this machine", {
      hint: `choose one: hookbell init --agent ID (${all.flatMap(({ id, hookSetup }) => (hookSetup.isUntried === true ? [] : id)).join(", ")}); for any other: hookbell init --agent generic`,
    });
  }
  return found;
}

/** Those of the agents that the user chooses. Undefined if they cancel. */
export async function chooseAmong(
  found: readonly AgentTarget[],
  ask: Pick<Ask, "choose">,
): Promise<AgentTarget[] | undefined> {
  const options = found.map(({ id, name, sign }) => ({ value: id, label: name, hint: sign ?? "" }));
  const chosen = await ask.choose("Which agents should hookbell listen to?", options);
  return chosen === undefined ? undefined : found.filter(({ id }) => chosen.includes(id));
}
