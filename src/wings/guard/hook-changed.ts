// The event HookChanged: an agent will run something that it did not run before.
import { agentName, agents } from "../../agents/index.ts";
import { placeFolder } from "../../agents/hook-setup.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import { listOf, parseJson } from "../../model/json.ts";
import { hookChanged } from "../../model/own-events.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, oneLine } from "../../model/text.ts";
import { sha256 } from "../../system/crypto.ts";
import { tryToStat } from "../../system/files/files.ts";
import type { NewLaunch } from "./baseline.ts";
import type { Machine } from "./launches/find.ts";
import type { Launch } from "./launches/launch.ts";
import type { LaunchOwner } from "./launches/whose.ts";

/** What a terminal obeys, or shows as nothing: letters could be hidden behind it. */
const unseen = /[^\P{C}\n\t]|[\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2028\u2029\u3164\uFFA0]/gu;

function named(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** A command as people may see it: without credentials, on one line. */
export function shownCommand(command: string, most = Infinity): string {
  return cut(oneLine(scrub(command).text.replace(unseen, named)), most);
}

/** Variables and folders that decide what a command does, without credentials; undefined where there are none. */
export function shownAround({ around, kind }: Pick<Launch, "around" | "kind">, most = Infinity): string | undefined {
  if (around === undefined || kind === "code") return undefined;
  const parts = listOf(parseJson(around)).map((each) => {
    const [name, value] = listOf(each);
    const isMembers = Array.isArray(value) && value.every((member) => Array.isArray(member));
    const shown = isMembers
      ? value
          .map((member) =>
            listOf(member)
              .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
              .join("="),
          )
          .join(" ")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
    return `${String(name)} ${shown}`;
  });
  return parts.length === 0 ? undefined : shownCommand(parts.join(", "), most);
}

const kinds: Readonly<Record<Launch["kind"], string>> = {
  hook: "hook",
  server: "MCP server",
  command: "command",
  code: "plug-in",
};

const maxName = 200;

/** What starts it: an event, a name, a setting. */
export function startedBy({ kind, name, matcher, at }: Pick<Launch, "kind" | "name" | "matcher" | "at">): string {
  if (kind === "code") return "loaded at each start";
  const shown = shownCommand(name, maxName);
  // One file of Claude Code's has the servers of each of its projects.
  const project = at[0] === "projects" ? ` for ${shownCommand(String(at[1]), maxName)}` : "";
  if (kind === "server") return `server ${shown}${project}`;
  return matcher === undefined ? shown : `${shown} (${shownCommand(matcher, maxName)})`;
}

/** Agents on this machine that run this agent's hooks as well. */
export function alsoRunBy(agent: string, { env, home }: Pick<Machine, "env" | "home">): string[] {
  return agents.flatMap(({ id, name }) => {
    const setup = findHookSetup(id);
    if (setup?.imports?.includes(agent) !== true) return [];
    return tryToStat(placeFolder(setup.folders[0], env, home))?.isFolder === true ? [name] : [];
  });
}

export interface ToldChange {
  /** The same for the same change. */
  key: string;
  ids: string[];
  payload: Readonly<Record<string, unknown>>;
  /** The words for a notice, where no rule waits for the event. */
  title: string;
  body: string;
}

export interface DescribedLaunch extends NewLaunch {
  owner: LaunchOwner;
  /** Who wrote it, as a clause, if that is known. */
  author?: string | undefined;
  /** Why the agent does not run it yet. */
  why?: string | undefined;
  /** Other agents here that run it as well. */
  others: readonly string[];
}

const maxCommand = 400;
const maxPlaces = 4;
/** Commands that one event shows; the list has all. */
const maxShown = 5;
const maxDetails = 50;
const maxDetail = 4000;

/** The commands that show it and remove it, with what to read before: a worm may notice the removal. */
function whatToDo(shown: string, removed: string): string[] {
  return [
    `Look: hookbell hooks ${shown}`,
    `Not yours? hookbell docs "it was not you", then hookbell hooks --remove ${removed}`,
  ];
}

/**
 * One event for what was found at once in a project, or in the user's own settings. In it, a command stands once: an installer writes
 * one command for many events and agents.
 */
export function tellChanges(news: readonly DescribedLaunch[]): ToldChange[] {
  return groupedBy(news, ({ launch }) => launch.project ?? "").map((together) => {
    const changes = groupedBy(together, ({ launch: { kind, path, command, around = "" } }) =>
      JSON.stringify([kind === "code" ? path : command, around]),
    );
    return changes.length === 1 ? tellOne(together) : tellSeveral(together, changes);
  });
}

function groupedBy<T>(all: readonly T[], keyOf: (each: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups.values()];
}

function namesOf(news: readonly DescribedLaunch[]): string {
  return [...new Set(news.map(({ launch }) => agentName(launch.agent)))].join(", ");
}

function tellOne(news: readonly DescribedLaunch[]): ToldChange {
  const [first] = news;
  if (first === undefined) throw new Error("no change to tell of");
  const { launch, change, owner, author, why, others } = first;
  const what = `${change === "new" ? "new" : "changed"} ${kindOf(launch)}`;
  const around = shownAround(launch, maxCommand);
  const scripts = launch.scripts.map(({ path }) => path).join(", ");
  return told(news, {
    words: launch.project === undefined ? what : `${what} for ${namesOf(news)}`,
    lines: [
      runs(news),
      ...(around === undefined ? [] : [`with ${around}`]),
      ...(change === "script" ? [`The content of ${scripts} has changed.`] : []),
      ...whereIn(news),
      ...(first.isBack ? ["You had removed it: it is back."] : []),
      ...(why === undefined ? [] : [`Not yet: ${why}.`]),
      ...(owner === undefined || owner === "hookbell" || change !== "new" ? [] : [`It looks like ${owner.tool}.`]),
      ...(others.length === 0 || launch.kind !== "hook" ? [] : [`${others.join(", ")} may run it as well.`]),
      ...(author === undefined ? [] : [`${author}.`]),
      ...whatToDo(launch.id, launch.id),
    ],
    reason: change === "new" ? "new" : "changed",
    kind: launch.kind,
  });
}

function tellSeveral(news: readonly DescribedLaunch[], changes: readonly DescribedLaunch[][]): ToldChange {
  const more = changes.length - maxShown;
  return told(news, {
    words: `${changes.length} new or changed programs for ${namesOf(news)}`,
    lines: [
      ...changes.slice(0, maxShown).flatMap((same) => [runs(same), ...whereIn(same)]),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...new Set(news.flatMap(({ author }) => (author === undefined ? [] : [`${author}.`]))),
      ...whatToDo("--new", "ID"),
    ],
    reason: "several",
    kind: "hook",
  });
}

function kindOf({ kind, name }: Launch): string {
  return name === "folderOpen" ? "task" : kinds[kind];
}

function runs(same: readonly DescribedLaunch[]): string {
  const [first] = same;
  const verb = first?.why === undefined ? "runs" : "would run";
  return `${namesOf(same)} ${verb}: ${shownCommand(first?.launch.command ?? "", maxCommand)}`;
}

function whereIn(same: readonly DescribedLaunch[]): string[] {
  const places = same.map(({ launch }) => `${startedBy(launch)} in ${launch.path}:${launch.line}`);
  const more = places.length > maxPlaces ? [`and ${places.length - maxPlaces} more places`] : [];
  return [...places.slice(0, maxPlaces), ...more];
}

function told(
  news: readonly DescribedLaunch[],
  { words, lines, reason, kind }: { words: string; lines: readonly string[]; reason: string; kind: string },
): ToldChange {
  const ids = [...new Set(news.map(({ launch }) => launch.id))];
  // What comes back after it was removed is told again.
  const key = `hooks-${sha256([...ids.toSorted(), news[0]?.at].join(" ")).slice(0, 16)}`;
  const subject = news[0]?.launch.project ?? namesOf(news);
  const body = lines.join("\n");
  return {
    key,
    ids,
    title: `${subject}: ${words}`,
    body,
    payload: {
      hook_event_name: hookChanged,
      session_id: key,
      cwd: subject,
      title: words,
      message: body,
      reason,
      notification_type: kind,
      details: {
        hooks: news.slice(0, maxDetails).map(({ launch }) => ({
          id: launch.id,
          agent: launch.agent,
          kind: launch.kind,
          name: shownCommand(launch.name, maxName),
          command: shownCommand(launch.command, maxDetail),
          file: launch.path,
          line: launch.line,
          scope: launch.scope,
        })),
      },
    },
  };
}
