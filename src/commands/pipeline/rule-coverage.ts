// Compares rules with installed hooks: events that no hook sends, and events that no rule uses.
import { type CurrentRules, readRules } from "../../pipeline/current-rules.ts";
import { ownerOf } from "../../install/command/owner.ts";
import type { InstallContext } from "../../install/install-agent.ts";
import { type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { type Feature, features } from "../../install/target/event-coverage.ts";
import { findInstalledCalls } from "../../install/verify/installed-calls.ts";
import { layoutOf } from "../../outbox/layout.ts";
import type { Rule } from "../../rules/rules.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { recordStore } from "../../install/record/record.ts";
import { isEventAwaited } from "../../rules/apply/match.ts";

export interface UncoveredRule {
  rule: string;
  events: string[];
  /** Whether a hook that is not installed yet would send one. */
  isPossible: boolean;
  hint: string;
}

export interface AgentWithHooks {
  target: AgentTarget;
  /** Events that the installed hooks send. */
  sends: ReadonlySet<string>;
  /** Events that the agent's hooks could send. */
  maySend: ReadonlySet<string>;
}

/** Rules whose events no installed hook sends. Empty if no hooks are installed. */
export function findUncoveredRules(
  rules: readonly Rule[],
  io: Pick<CommandIo, "env" | "places" | "platform">,
): UncoveredRule[] {
  const agents = findAgentsWithHooks(io);
  if (agents.length === 0) return [];
  const names = new Set(listTargets(io.env, io.places.home, io.platform).flatMap(({ hookSetup }) => meant(hookSetup)));
  return rules.flatMap((rule) => {
    const awaited = [...names].filter((name) => agents.some(({ target: { id } }) => isEventAwaited([rule], id, name)));
    const hears = (of: (agent: AgentWithHooks) => ReadonlySet<string>): boolean =>
      agents.some((agent) =>
        awaited.some((name) => of(agent).has(name) && isEventAwaited([rule], agent.target.id, name)),
      );
    if (awaited.length === 0 || hears(({ sends }) => sends)) return [];
    const who = agents.map(({ target: { name } }) => name).join(", ");
    const events = awaited.join(", ");
    const isPossible = hears(({ maySend }) => maySend);
    const hint = isPossible
      ? `waits for ${events}, but no hook sends it yet. Run: hookbell init`
      : `waits for ${events}, which none of your agents sends (${who})`;
    return [{ rule: rule.name, events: awaited, isPossible, hint }];
  });
}

/** Agents on this machine whose hooks call hookbell. */
export function findAgentsWithHooks({
  env,
  places,
  platform,
}: Pick<CommandIo, "env" | "places" | "platform">): AgentWithHooks[] {
  const { hookPaths } = recordStore(places.stateDir).read();
  return listTargets(env, places.home, platform).flatMap((target): AgentWithHooks[] => {
    const { hookSetup } = target;
    const { calls } = findInstalledCalls(
      target,
      platform,
      (command, args) => ownerOf(command, args, "", hookPaths),
      env,
    );
    if (calls.length === 0) return [];
    const sends = calls.flatMap(({ event }) => hookSetup.events[event]?.mapsTo ?? []);
    return [{ target, sends: new Set(sends), maySend: new Set(meant(hookSetup)) }];
  });
}

function meant({ events }: AgentTarget["hookSetup"]): string[] {
  return Object.values(events).flatMap(({ mapsTo }) => mapsTo);
}

const questions = ["Notification", "PermissionRequest"] as const;

/** What happens to a session, and its events. */
const kinds = [
  { what: "questions", events: questions, level: "attention" },
  { what: "failed turns", events: ["StopFailure"], level: "error" },
] as const;

/** Kinds of events of which no rule notifies anyone. Empty for a file without rules, which is told otherwise. */
export function findUnnotified(
  rules: readonly Rule[],
  agents: readonly Pick<AgentTarget, "id" | "hookSetup">[],
): { events: readonly string[]; text: string; fix: string }[] {
  if (rules.length === 0) return [];
  return kinds.flatMap(({ what, events, level }) => {
    const sent = agents.filter(({ hookSetup }) => events.some((event) => meant(hookSetup).includes(event)));
    const ids = sent.length > 0 ? sent.map(({ id }) => id) : ["generic"];
    const isMeant = ids.some((id) =>
      events.some((event) => isEventAwaited(rules, id, event) || isSilenced(rules, id, event)),
    );
    if (isMeant) return [];
    const text = `no rule notifies anyone of ${what} (${events.join(", ")})`;
    return [{ events, text, fix: `add a rule with "when": { "level": "${level}" }` }];
  });
}

/** An event by which agents ask, and that no rule uses. */
export interface UncoveredQuestion {
  agent: string;
  event: string;
  /** Rules that use the agent's other asking event. */
  rules: string[];
  text: string;
  fix: string;
}

export function findUncoveredQuestions(
  rules: readonly Rule[],
  targets: readonly Pick<AgentTarget, "id" | "name" | "hookSetup">[],
): UncoveredQuestion[] {
  return targets.flatMap(({ id, name, hookSetup }) => {
    const sent = Object.values(hookSetup.events).flatMap(({ mapsTo }) => mapsTo);
    // Some agents report a question by two events; a rule for one of them is enough.
    if (questions.some((event) => sent.includes(event) && isEventAwaited(rules, id, event))) return [];
    return questions.flatMap((event): UncoveredQuestion[] => {
      if (!sent.includes(event) || isSilenced(rules, id, event)) return [];
      const meant = rules.filter((rule) => questions.some((other) => isEventAwaited([rule], id, other)));
      if (meant.length === 0) return [];
      const names = meant.map((rule) => JSON.stringify(rule.name));
      return [
        {
          agent: id,
          event,
          rules: meant.map((rule) => rule.name),
          text: `${name} asks questions with ${event}, and no rule waits for it`,
          fix: `in rule ${names.join(", ")} write "event": ${JSON.stringify(questions).replace(",", ", ")}`,
        },
      ];
    });
  });
}

/** A rule that names the event without a channel silences it on purpose. */
function isSilenced(rules: readonly Rule[], id: string, event: string): boolean {
  return rules.some(
    ({ when, ...rule }) =>
      rule.notify.length === 0 &&
      when.some(({ field }) => field === "event") &&
      when.every(({ field }) => field === "event" || field === "agent") &&
      isEventAwaited([{ ...rule, when, notify: [""] }], id, event),
  );
}

export type IsAwaited = (agentId: string, name: string, mustBeNamed?: boolean) => boolean;

/** What the rules want of the agents' hooks. */
interface Wishes extends Required<Pick<InstallContext, "featuresOf" | "answerable" | "isWanted">> {
  /** The rules as they were read, and what is wrong in their file. */
  current: CurrentRules;
  rules: Rule[];
  isAwaited: IsAwaited;
  /** How long a hook waits for an answer, in milliseconds; undefined without answers. */
  holdForMs: number | undefined;
}

/** The rules that apply are read once. */
export async function wishesOf({ places }: Pick<CommandIo, "places">): Promise<Wishes> {
  const current = await readRules(places.rulesFile, layoutOf(places.stateDir));
  const { rules, answers, stuckAfterMs } = current.rules;
  const isAwaited: IsAwaited = (id, name, mustBeNamed) => isEventAwaited(rules, id, name, mustBeNamed);
  return {
    current,
    rules,
    isAwaited,
    holdForMs: answers?.holdForMs,
    isWanted: (id, means, mustBeNamed) => means.some((event) => isAwaited(id, event, mustBeNamed)),
    // The page of `hookbell serve` takes them without a channel.
    answerable: answers === undefined ? [] : answers.nextPrompt === undefined ? ["question"] : ["question", "prompt"],
    featuresOf(id) {
      const asked = questions.some((event) => isAwaited(id, event));
      const configured: Readonly<Record<Feature, boolean>> = {
        questions: asked,
        answers: asked && answers !== undefined,
        escalation: rules.some(({ policies }) => policies.escalate !== undefined),
        stuckAfter: stuckAfterMs !== undefined,
        limits: ["LimitReached", "LimitReset"].some((event) => isAwaited(id, event, true)),
        // Only `init --usage` asks for usage events.
        usage: false,
      };
      return features.filter((feature) => configured[feature]);
    },
  };
}
