import { listTargets, type AgentTarget } from "../../install/target/agent-target.ts";
import { ownerOf } from "../../install/command/owner.ts";
import { recordStore } from "../../install/record/store.ts";
import { findWiredCalls } from "../../install/verify/wired-calls.ts";
import type { Rule } from "../../rules/rules.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import type { CommandIo } from "../console/command-io.ts";

/** A rule that tells nobody, since no agent that is wired here sends what it waits for. */
export interface UnheardRule {
  rule: string;
  events: string[];
  hint: string;
}

export interface WiredAgent {
  target: AgentTarget;
  /** Our names of what its wired hooks send. */
  sends: ReadonlySet<string>;
  /** The same of all that it could be wired for. */
  maySend: ReadonlySet<string>;
}

/** Says nothing while no agent is wired; what people pipe to the hook themselves is not ours to know. */
export function findUnheardRules(
  rules: readonly Rule[],
  io: Pick<CommandIo, "env" | "places" | "platform">,
): UnheardRule[] {
  const agents = findWiredAgents(io);
  if (agents.length === 0) return [];
  const names = new Set(listTargets(io.env, io.places.home, io.platform).flatMap(({ wiring }) => meant(wiring)));
  return rules.flatMap((rule) => {
    const awaited = [...names].filter((name) => agents.some(({ target: { id } }) => isEventAwaited([rule], id, name)));
    const hears = (of: (agent: WiredAgent) => ReadonlySet<string>): boolean =>
      agents.some((agent) =>
        awaited.some((name) => of(agent).has(name) && isEventAwaited([rule], agent.target.id, name)),
      );
    if (awaited.length === 0 || hears(({ sends }) => sends)) return [];
    const who = agents.map(({ target: { name } }) => name).join(", ");
    const events = awaited.join(", ");
    const hint = hears(({ maySend }) => maySend)
      ? `waits for ${events}, which is not wired yet: hookbell init`
      : `waits for ${events}, which no agent that is wired here sends (${who})`;
    return [{ rule: rule.name, events: awaited, hint }];
  });
}

/** The agents that call hookbell on this machine. */
export function findWiredAgents({
  env,
  places,
  platform,
}: Pick<CommandIo, "env" | "places" | "platform">): WiredAgent[] {
  const { hookPaths } = recordStore(places.stateDir).read();
  return listTargets(env, places.home, platform).flatMap((target): WiredAgent[] => {
    const { wiring } = target;
    // Asking an older release for its version takes longer than looking at both of its ways.
    const { calls } = findWiredCalls(
      { ...target, isOlder: true },
      platform,
      (command, args) => ownerOf(command, args, "", hookPaths),
      env,
    );
    if (calls.length === 0) return [];
    const sends = calls.flatMap(({ event }) => wiring.events[event]?.means ?? []);
    return [{ target, sends: new Set(sends), maySend: new Set(meant(wiring)) }];
  });
}

function meant({ events }: AgentTarget["wiring"]): string[] {
  return Object.values(events).flatMap(({ means }) => means);
}
