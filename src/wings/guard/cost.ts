// How long hooks took, from what agents record of them. Claude Code alone does: in its transcripts, of each hook that it waited for at
// the end of a turn, and of the others where they said something. https://code.claude.com/docs/en/hooks
import { placeFolder } from "../../agents/hook-setup.ts";
import { transcripts } from "../../agents/transcripts.ts";
import { objectOf, objectsOf, parseJson, textOf } from "../../model/json.ts";
import { tryToStat, walkFiles } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";
import { join } from "node:path";
import { shownCommand } from "./hook-changed.ts";
import type { Machine } from "./launches/find.ts";

export interface HookCost {
  agent: string;
  event: string;
  /** It has no credentials any more. */
  command: string;
  calls: number;
  /** Milliseconds. */
  medianMs: number;
  p95Ms: number;
  totalMs: number;
}

interface Call {
  event: string;
  command: string;
  ms: number;
}

export const costPeriodMs = 7 * 86_400_000;

const chunkBytes = 1024 * 1024;
const maxLineBytes = 16 * 1024 * 1024;
/** More is not read; the newest files come first. */
const maxBytes = 512 * 1024 * 1024;

/** The slowest in all comes first. */
export function measureHooks({ env, home }: Machine, now: number, periodMs = costPeriodMs): HookCost[] {
  const agent = "claude-code";
  const calls = new Map<string, Call[]>();
  for (const { path, bytes } of recentFiles({ env, home }, agent, now - periodMs)) {
    for (const call of callsIn(path, bytes, now - periodMs)) {
      const key = `${call.event}\n${call.command}`;
      const same = calls.get(key);
      if (same === undefined) calls.set(key, [call]);
      else same.push(call);
    }
  }
  return [...calls.values()]
    .flatMap((same): HookCost[] => {
      const [first] = same;
      if (first === undefined) return [];
      const times = same.map(({ ms }) => ms).sort((one, other) => one - other);
      return [
        {
          agent,
          event: first.event,
          command: shownCommand(first.command),
          calls: times.length,
          medianMs: quantile(times, 0.5),
          p95Ms: quantile(times, 0.95),
          totalMs: times.reduce((sum, ms) => sum + ms, 0),
        },
      ];
    })
    .sort((one, other) => other.totalMs - one.totalMs);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function recentFiles(
  { env, home }: Pick<Machine, "env" | "home">,
  agent: string,
  since: number,
): { path: string; bytes: number }[] {
  const files = (transcripts[agent]?.folders ?? []).flatMap((place) => {
    const folder = placeFolder(place, env, home);
    return [...walkFiles(folder)].filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  });
  let left = maxBytes;
  return files
    .flatMap((path) => {
      const stats = tryToStat(path);
      return stats === undefined || stats.mtimeMs < since ? [] : [{ path, ...stats }];
    })
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .filter(({ bytes }) => (left -= bytes) >= 0);
}

function callsIn(path: string, bytes: number, since: number): Call[] {
  const calls: Call[] = [];
  let offset = 0;
  while (offset < bytes) {
    const read = readLinesFrom(path, offset, { chunkBytes, maxLineBytes });
    if (read === undefined) break;
    for (const line of read.lines) {
      if (line.includes('"durationMs"') && line.includes('"hook'))
        calls.push(...callsOf(objectOf(parseJson(line)), since));
    }
    if (!read.hasMore || read.offset === offset) break;
    ({ offset } = read);
  }
  return calls;
}

function callsOf(line: Readonly<Record<string, unknown>>, since: number): Call[] {
  if (Date.parse(textOf(line.timestamp) ?? "") < since) return [];
  const summary = line.subtype === "stop_hook_summary" ? objectsOf(line.hookInfos) : [];
  const attachment = objectOf(line.attachment);
  const single = textOf(attachment.type)?.startsWith("hook_") === true ? [attachment] : [];
  return [...summary, ...single].flatMap((each): Call[] => {
    const { durationMs: ms, command } = each;
    const event = textOf(each.hookEvent) ?? (line.subtype === "stop_hook_summary" ? "Stop" : undefined);
    if (typeof ms !== "number" || !(ms >= 0) || event === undefined || typeof command !== "string") return [];
    return [{ event, command, ms }];
  });
}

/** Events for which the agent waits again and again. */
const ofTools = /^(?:PreToolUse|PostToolUse|PermissionRequest|UserPromptSubmit)/;
const slowMs = 200;

/** What a person should know of it; undefined of a hook that holds nothing up. */
export function complaintOf({ event, medianMs, calls }: HookCost): string | undefined {
  if (!ofTools.test(event) || medianMs < slowMs || calls < 3) return undefined;
  const what = event.startsWith("UserPrompt")
    ? "each prompt"
    : event === "PermissionRequest"
      ? "each question"
      : "each tool call";
  return `holds ${what} for ${Math.round(medianMs)} ms`;
}
