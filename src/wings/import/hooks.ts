// Another tool's hooks in the agents' settings: which of them may go, since rules send all that they send, and why the others stay.
import { notificationTypeOf } from "../../agents/dialect/notification-types.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import { prepareRemoval } from "../../install/foreign-hooks.ts";
import { forUninstall, type InstallProblem } from "../../install/problem.ts";
import { inspectSource, textOfBytes } from "../../install/settings/file-change.ts";
import { readTables } from "../../install/settings/hook-tables.ts";
import { readSettings } from "../../install/target/read-settings.ts";
import type { HookInFile, OwnerOfHook } from "../../install/settings/find-hooks.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { possibleLevels } from "../../model/level.ts";
import { matchRule, type MatchFacts } from "../../rules/apply/match.ts";
import type { Rule } from "../../rules/rules.ts";
import { mentionsPeer, wordsOfPeer, type Alert, type ImportedSettings, type Peer, type PeerHook } from "./peer.ts";

/** A hook of the tool, as it is written. */
export interface FoundPeerHook {
  /** Undefined for a person's own command around the tool. */
  hook: PeerHook | undefined;
  path: string;
  /** The agent's event, with the matcher in parentheses. */
  shown: string;
  /** What makes it more than a call of the tool, as a sentence. */
  surplus: string | undefined;
  key: string;
}

export interface KeptHook {
  key: string;
  path: string;
  shown: string;
  why: string;
  /** The events of which both the hook and the rules notify. */
  twice: string[];
}

/** Every hook of these agents that runs the tool. */
export function findHooksOf(peer: Peer, targets: readonly AgentTarget[], platform: NodeJS.Platform): FoundPeerHook[] {
  return targets.flatMap((target) => {
    const found: FoundPeerHook[] = [];
    prepareRemoval(target, platform, (command, args, hook) => {
      const each = readHook(peer, target.id, command, args, hook);
      if (each !== undefined) found.push(each);
      return "foreign";
    });
    return found;
  });
}

/** Settings files that hookbell cannot read, unless they are readable enough to see that no tool is in them. */
export function unreadSettings(
  peers: readonly Peer[],
  targets: readonly AgentTarget[],
  platform: NodeJS.Platform,
): InstallProblem[] {
  return targets.flatMap((target) => {
    const { files, problems } = readSettings(target, platform);
    const unclear = files.flatMap(({ source }) => {
      const text = textOfBytes(source.bytes ?? new Uint8Array());
      if (source.kind === "own" || !peers.some((peer) => mentionsPeer(peer, text))) return [];
      const reading =
        source.kind === "hooks" ? inspectSource(source, () => "foreign") : readTables(source, () => "foreign", false);
      return "problems" in reading ? reading.problems : [];
    });
    return [...problems, ...unclear].map(forUninstall);
  });
}

export function readHook(
  peer: Peer,
  agentId: string,
  command: string,
  args: readonly string[],
  { path, event, members }: HookInFile,
): FoundPeerHook | undefined {
  const words = wordsOfPeer(peer, command, args);
  if (words === undefined && !mentionsPeer(peer, command)) return undefined;
  const matcher = typeof members.matcher === "string" ? members.matcher : "";
  const shown = matcher === "" || matcher === "*" ? event : `${event} (${matcher})`;
  const found = { path, shown, key: JSON.stringify([path, event, members, command, args]) };
  if (words === undefined) return { ...found, hook: undefined, surplus: "it is a command of your own around the tool" };
  const alternatives = matcher === "" || matcher === "*" ? undefined : matcher.split("|");
  const hook: PeerHook = {
    agentId,
    path,
    event,
    means: findHookSetup(agentId)?.events[event]?.mapsTo ?? [event],
    matcher,
    matches: alternatives,
    program: words.program,
    args: words.after,
  };
  const isPattern = alternatives?.some((each) => !/^[\w-]+$/.test(each)) === true;
  const more = surplusOf(peer, words, members);
  return { ...found, hook, surplus: isPattern ? "its matcher is a pattern" : more };
}

const interpreters =
  /^(?:.*\/)?(?:bash|sh|zsh|dash|node|python3?|py|pwsh|powershell)(?:\.exe)?$|^(?:env|&|Bypass)$|^-/i;

/** Members of a hook that do not change what it does. */
const plainMembers =
  /^(?:type|command|commandWindows|bash|powershell|exec|args|matcher|event|name|description|statusMessage|version|timeout|timeoutSec|async|show_output|_managed_by)$/;

/** Names without values: a command may have a token in it. */
function surplusOf(
  { args }: Peer,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  members: HookInFile["members"],
): string | undefined {
  const variables = before.flatMap((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1] ?? []);
  if (variables.length > 0) return `its command sets ${variables.join(", ")}`;
  if (before.some((word) => !interpreters.test(word))) return "its command has more before the tool's program";
  if (!args.test(after.join(" "))) return "its command has arguments that hookbell does not know";
  const conditions = Object.keys(members).filter((name) => !plainMembers.test(name));
  return conditions.length === 0 ? undefined : `it has ${conditions.map((name) => JSON.stringify(name)).join(", ")}`;
}

/** What the import made of a tool. */
export interface Carried {
  peer: Pick<Peer, "name">;
  settings: Pick<ImportedSettings, "alertsOf">;
  /** The names of its channels in the rules file; one that was left out has none. */
  names: ReadonlyMap<string, string>;
  /** The names of the rules that the person's file had before. */
  ownRules: ReadonlySet<string>;
  /** Settings because of which the tool may notify of more than is known. */
  unsure: readonly string[];
}

/** The hooks that stay. `rules` are those of the file as it will be. */
export function keptHooks(found: readonly FoundPeerHook[], carried: Carried, rules: readonly Rule[]): KeptHook[] {
  const decided = found.map((each) => ({ each, ...decide(each, carried, rules) }));
  const kept = decided.filter(({ why }) => why !== undefined);
  return decided.flatMap(({ each, why, twice, isSilent }): KeptHook[] => {
    const { key, path, shown } = each;
    // What a tool knows of the beginning of a turn, it tells at its end.
    const serves = kept.some((other) => other.each.path === path && other.each.hook?.means.includes("Stop") === true);
    const reason = why ?? (isSilent && serves ? "the hooks that stay may need it" : undefined);
    return reason === undefined ? [] : [{ key, path, shown, why: reason, twice }];
  });
}

/** Says "own" of the hooks that may go: those that were examined and do not stay. */
export function ownerOfRemovable(peers: readonly Peer[], agentId: string, mayGo: ReadonlySet<string>): OwnerOfHook {
  return (command, args, hook) =>
    peers.some((peer) => mayGo.has(readHook(peer, agentId, command, args, hook)?.key ?? "")) ? "own" : "foreign";
}

interface Decision {
  why: string | undefined;
  twice: string[];
  isSilent: boolean;
}

function decide({ hook, surplus }: FoundPeerHook, carried: Carried, rules: readonly Rule[]): Decision {
  const alerts = hook === undefined ? "" : carried.settings.alertsOf(hook);
  if (typeof alerts === "string") return { why: surplus ?? alerts, twice: [], isSilent: false };
  const gapFor = (alert: Alert): string | undefined => gapOf(alert, hook?.agentId, carried, rules);
  const gaps = alerts.flatMap((alert) => gapFor(alert) ?? []);
  const told = alerts.filter((alert) => gapFor(alert) === undefined);
  const unsure =
    alerts.length > 0 && carried.unsure.length > 0
      ? `hookbell does not know all that ${carried.unsure.join(", ")} does`
      : undefined;
  const why = surplus ?? gaps[0] ?? unsure;
  return { why, twice: why === undefined ? [] : [...new Set(told.map(nameOf))], isSilent: alerts.length === 0 };
}

function nameOf({ event, notificationType }: Alert): string {
  return notificationType === undefined ? event : `${event} (${notificationType})`;
}

/** What the rules do not do of it, as a sentence. */
function gapOf(
  alert: Alert,
  agent: string | undefined,
  { names, ownRules }: Carried,
  rules: readonly Rule[],
): string | undefined {
  for (const level of levelsOf(alert)) {
    const { event, notificationType } = alert;
    const told = toldBy(rules, ownRules, { agent, event, level, notificationType });
    const missing = alert.notify.filter((name) => !told.has(names.get(name) ?? ""));
    if (missing.length > 0) return `no rule notifies ${missing.join(", ")} of ${nameOf(alert)}`;
  }
  return undefined;
}

function levelsOf({ event, notificationType }: Alert): readonly (MatchFacts["level"] & string)[] {
  if (event !== "Notification") return possibleLevels(event);
  return [notificationTypeOf(notificationType, undefined)?.level ?? "attention"];
}

/**
 * The channels that are surely notified. An imported condition on what only the event knows, such as its folder, is one that the tool
 * had, too. Such a condition of the person's own promises nothing, and a final rule with one may end the search.
 */
function toldBy(rules: readonly Rule[], ownRules: ReadonlySet<string>, facts: MatchFacts): Set<string> {
  const told = new Set<string>();
  for (const rule of rules) {
    const known = ownRules.has(rule.name) ? rule.when.filter(({ field }) => Object.hasOwn(facts, field)) : rule.when;
    if (!matchRule({ when: known }, facts).held) continue;
    if (known.length === rule.when.length) for (const name of rule.notify) told.add(name);
    if (rule.final) break;
  }
  return told;
}
