import { readRules } from "../../dispatch/current-rules.ts";
import { ownerOf } from "../../install/command/owner.ts";
import { recordStore } from "../../install/record/store.ts";
import { type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { findWiredCalls } from "../../install/verify/wired-calls.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import type { Rule } from "../../rules/rules.ts";
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
    const sends = calls.flatMap(({ event }) => wiring.events[event]?.mapsTo ?? []);
    return [{ target, sends: new Set(sends), maySend: new Set(meant(wiring)) }];
  });
}

function meant({ events }: AgentTarget["wiring"]): string[] {
  return Object.values(events).flatMap(({ mapsTo }) => mapsTo);
}

/** A question that nobody hears: some agents ask by a Notification, others by a PermissionRequest. */
export interface UnheardQuestion {
  agent: string;
  event: string;
  /** Rules that wait for the other of the two. */
  rules: string[];
  /** What is wrong. */
  text: string;
  fix: string;
}

const questions = ["Notification", "PermissionRequest"] as const;

/** What these agents ask and no rule hears, though a rule waits for questions under the other name. */
export function findUnheardQuestions(
  rules: readonly Rule[],
  targets: readonly Pick<AgentTarget, "id" | "name" | "wiring" | "isOlder">[],
): UnheardQuestion[] {
  return targets.flatMap(({ id, name, wiring, isOlder }) => {
    // A release without hooks cannot ask.
    const sent = isOlder ? [] : Object.values(wiring.events).flatMap(({ mapsTo }) => mapsTo);
    return questions.flatMap((event): UnheardQuestion[] => {
      if (!sent.includes(event) || isEventAwaited(rules, id, event) || isSilenced(rules, id, event)) return [];
      const meant = rules.filter((rule) => questions.some((other) => isEventAwaited([rule], id, other)));
      if (meant.length === 0) return [];
      const names = meant.map((rule) => JSON.stringify(rule.name));
      return [
        {
          agent: id,
          event,
          rules: meant.map((rule) => rule.name),
          text: `${name} asks its questions by ${event}, which no rule hears`,
          fix: `in the rule ${names.join(", ")} write "event": ${JSON.stringify(questions).replace(",", ", ")}, then run hookbell init --agent ${id}`,
        },
      ];
    });
  });
}

/** A rule that names the event and notifies nobody is meant so. */
function isSilenced(rules: readonly Rule[], id: string, event: string): boolean {
  return rules.some(
    ({ when, ...rule }) =>
      rule.notify.length === 0 &&
      when.some(({ field }) => field === "event") &&
      when.every(({ field }) => field === "event" || field === "agent") &&
      isEventAwaited([{ ...rule, when, notify: [""] }], id, event),
  );
}

/** Whether a rule that applies now waits for an event of this name from this agent. */
export type IsAwaited = (agentId: string, name: string) => boolean;

/** The rules that apply now. */
export async function applyingRules({ places }: Pick<CommandIo, "places">): Promise<Rule[]> {
  return (await readRules(places.rulesFile, layoutOf(places.stateDir))).rules.rules;
}

export async function awaitedEvents(io: Pick<CommandIo, "places">): Promise<IsAwaited> {
  const rules = await applyingRules(io);
  return (agentId, name) => isEventAwaited(rules, agentId, name);
}
