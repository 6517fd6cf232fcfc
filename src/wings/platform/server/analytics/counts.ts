// Counts of one session's day. Keys are a kind and a name, such as `tool:Bash`.
import type { TokenUse, Usage } from "../../../../model/usage.ts";

/** Kinds without a name (`prompt`, `answer`, `commit`, `pullRequest`) stand alone. */
export type Counts = Record<string, number>;

export function keyOf(kind: string, name: string): string {
  return `${kind}:${name}`;
}

/** With `maxKeys`, further names count under `other`. */
export function addCounts(total: Counts, more: Counts, maxKeys = Infinity): void {
  for (const [key, count] of Object.entries(more)) {
    const isNew = total[key] === undefined;
    const place = isNew && key.includes(":") && isFull(total, maxKeys) ? keyOf(kindOf(key), "other") : key;
    total[place] = (total[place] ?? 0) + count;
  }
}

function isFull(total: Counts, maxKeys: number): boolean {
  return maxKeys !== Infinity && Object.keys(total).length >= maxKeys;
}

/** What changes when `next` replaces `previous`; negative where it is less. */
export function difference(next: Counts, previous: Counts): Counts {
  const keys = new Set([...Object.keys(next), ...Object.keys(previous)]);
  return Object.fromEntries([...keys].map((key) => [key, (next[key] ?? 0) - (previous[key] ?? 0)]));
}

export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The counts of one kind, by name. */
export function ofKind(counts: Counts, kind: string): [name: string, count: number][] {
  const prefix = `${kind}:`;
  return Object.entries(counts).flatMap(([key, count]): [string, number][] =>
    key.startsWith(prefix) && count > 0 ? [[key.slice(prefix.length), count]] : [],
  );
}

export function sumOfKind(counts: Counts, kind: string): number {
  return ofKind(counts, kind).reduce((sum, [, count]) => sum + count, 0);
}

/** What one event of a hook, or one entry of a transcript, adds. */
export function countsOfUsage(usage: Usage): Counts {
  const counts: Counts = {};
  const add = (key: string, count = 1): void => {
    counts[key] = (counts[key] ?? 0) + count;
  };
  if (usage.tool !== undefined) {
    add(keyOf("tool", usage.tool));
    if (usage.level !== undefined) add(keyOf("level", usage.level));
  }
  if (usage.server !== undefined) add(keyOf("server", usage.server));
  if (usage.skill !== undefined) add(keyOf("skill", usage.skill));
  if (usage.slashCommand !== undefined) add(keyOf("slash", usage.slashCommand));
  for (const extension of usage.created ?? []) add(keyOf("created", extension));
  for (const extension of usage.edited ?? []) add(keyOf("edited", extension));
  if (usage.commits !== undefined) add("commit", usage.commits);
  if (usage.pullRequests !== undefined) add("pullRequest", usage.pullRequests);
  return counts;
}

export function countsOfTokens({ model, input, output, cacheRead, cacheWrite }: TokenUse): Counts {
  const kinds = { input, output, read: cacheRead, write: cacheWrite, request: 1 };
  const entries = Object.entries(kinds).filter(([, count]) => count > 0);
  return Object.fromEntries(entries.map(([kind, count]) => [keyOf(kind, model), count]));
}

/** One source counts these in each session, so that hooks and transcript count nothing twice. */
const groups: readonly { kinds: readonly string[]; leader: string }[] = [
  { leader: "prompt", kinds: ["prompt"] },
  { leader: "answer", kinds: ["answer"] },
  { leader: "tool", kinds: ["tool", "server", "level"] },
  { leader: "skill", kinds: ["skill"] },
  { leader: "slash", kinds: ["slash"] },
  { leader: "created", kinds: ["created"] },
  { leader: "edited", kinds: ["edited"] },
  { leader: "commit", kinds: ["commit"] },
  { leader: "pullRequest", kinds: ["pullRequest"] },
];
const groupOfKind = new Map(groups.flatMap((group) => group.kinds.map((kind) => [kind, group])));

/** Takes each group of counts from the source that saw more. */
export function mergeSources(hooks: Counts, transcript: Counts): Counts {
  const merged: Counts = {};
  const leads = new Map(
    groups.map((group) => [group, leaderCount(transcript, group.leader) > leaderCount(hooks, group.leader)]),
  );
  for (const [counts, isTranscript] of [
    [hooks, false],
    [transcript, true],
  ] as const) {
    for (const [key, count] of Object.entries(counts)) {
      const group = groupOfKind.get(kindOf(key));
      if (count > 0 && (group === undefined || leads.get(group) === isTranscript)) merged[key] = count;
    }
  }
  return merged;
}

function kindOf(key: string): string {
  const colon = key.indexOf(":");
  return colon === -1 ? key : key.slice(0, colon);
}

function leaderCount(counts: Counts, leader: string): number {
  return (counts[leader] ?? 0) + sumOfKind(counts, leader);
}
