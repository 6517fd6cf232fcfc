// The event HookChanged: an agent will run something that it did not run before.
import { dirname } from "node:path";
import { agentName, agents } from "../../agents/index.ts";
import { placeFolder } from "../../agents/hook-setup.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import { changedLaunch, hookChanged } from "../../model/own-events.ts";
import { summaryLength } from "../../model/privacy/content.ts";
import { count, shortenMiddle } from "../../model/text.ts";
import { sha256 } from "../../system/crypto.ts";
import { tryToStat } from "../../system/files/files.ts";
import type { NewLaunch } from "./baseline.ts";
import type { Machine } from "./launches/find.ts";
import type { LaunchOwner } from "./launches/whose.ts";
import { maxName, shownAround, shownCommand, startedBy } from "./shown.ts";
import { doFit, fitLines, type Line } from "./told-lines.ts";

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
}

/** For a channel that shows little, and for one that may quote nothing. */
interface OwnWords {
  summary: string;
  none: string;
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

/** UTF-16 units of the whole text: what a popup shows, and many phone services. */
const maxBody = 900;
const maxCommand = 400;
const maxPlaces = 4;
/** Commands that one event shows; the list has all. */
const maxShown = 5;
const maxDetails = 50;
const maxDetail = 4000;
/** UTF-16 units of what others have named, so that hookbell's own words fit in any summary beside it. */
const maxEvent = 40;
const maxPath = 60;
const maxNames = 3;
const maxInTitle = 2;

/**
 * The commands that show it and, where there is room, remove it, with what to read before: a worm may notice the removal. Screens cut
 * the end, so they stand before what is only good to know.
 */
function whatToDo(shown: string, removed?: string): Line[] {
  const then = removed === undefined ? "" : `, then hookbell hooks --remove ${removed}`;
  return [
    { before: `Look: hookbell hooks ${shown}` },
    { before: `Not yours? hookbell docs "it was not you"${then}`, isOptional: true },
  ];
}

/**
 * One event for what was found at once in a project, or in the user's own settings. In it, a command stands once: an installer writes
 * one command for many events and agents.
 */
export function tellChanges(news: readonly DescribedLaunch[], home: string): ToldChange[] {
  return groupedBy(news, ({ launch }) => launch.project ?? "").map((together) => {
    const changes = groupedBy(together, ({ launch: { kind, path, command, around = "" } }) =>
      JSON.stringify([kind === "code" ? path : command, around]),
    );
    return changes.length === 1 ? tellOne(together, home) : tellSeveral(together, changes, home);
  });
}

function groupedBy<T>(all: readonly T[], keyOf: (each: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups.values()];
}

function agentsOf(news: readonly DescribedLaunch[]): string[] {
  return [...new Set(news.map(({ launch }) => agentName(launch.agent)))];
}

function namesOf(news: readonly DescribedLaunch[]): string {
  const names = agentsOf(news);
  const more = names.length > maxNames ? ` and ${count(names.length - maxNames, "more agent")}` : "";
  return `${names.slice(0, maxNames).join(", ")}${more}`;
}

/** Where a message's title names the project, which has little room. */
function subjectOf(news: readonly DescribedLaunch[]): string {
  const { length } = agentsOf(news);
  return news[0]?.launch.project ?? (length > maxInTitle ? count(length, "agent") : namesOf(news));
}

function tellOne(news: readonly DescribedLaunch[], home: string): ToldChange {
  const [first] = news;
  if (first === undefined) throw new Error("no change to tell of");
  const { launch, change, hasScriptChanged, back, owner, author, why, others } = first;
  const kind = launch.name === "folderOpen" ? "task" : launch.kind;
  const reason = back !== undefined ? "back" : change === "new" ? "new" : "changed";
  const what = changedLaunch(reason, kind);
  const [script, ...scripts] = launch.scripts.map(({ path }) => shortPath(path, home));
  const more = scripts.length === 0 ? "" : ` (or of ${scripts.length} more)`;
  const optional = (before: string): Line => ({ before, isOptional: true });
  const lines = (most: number, removed?: string): Line[] => [
    ...whatRuns(news),
    ...(hasScriptChanged ? [{ before: "The content of ", text: script ?? "", after: `${more} has changed.` }] : []),
    ...whereIn(news, home, most),
    ...comeback(first),
    ...whatToDo(launch.id, removed),
    ...(why === undefined ? [] : [optional(`Not yet: ${why}.`)]),
    ...(owner === undefined || owner === "hookbell" || change !== "new"
      ? []
      : [optional(`It looks like ${owner.tool}.`)]),
    ...(others.length === 0 || launch.kind !== "hook" ? [] : [optional(`${others.join(", ")} may run it as well.`)]),
    ...(author === undefined ? [] : [optional(`${author}.`)]),
  ];
  return told(news, {
    words: launch.project === undefined ? what : `${what} for ${namesOf(news)}`,
    body: fitLines(lines(maxPlaces, launch.id), maxBody),
    ownWords: {
      summary: fitLines(lines(1), summaryLength),
      none: `${namesOf(news)} ${verbOf(news)} ${what}.\nLook: hookbell hooks ${launch.id}`,
    },
    reason,
    kind,
  });
}

function tellSeveral(
  news: readonly DescribedLaunch[],
  changes: readonly DescribedLaunch[][],
  home: string,
): ToldChange {
  const first = changes.slice(0, maxShown);
  const more = changes.length - first.length;
  const paths = [...new Set(news.map(({ launch }) => shortPath(launch.path, home)))];
  const isNew = news.every(({ change }) => change === "new");
  const isChanged = news.every(({ change }) => change !== "new");
  const words = `${changes.length} ${isNew ? "new" : isChanged ? "changed" : "new or changed"} programs`;
  const rest = more > 0 ? [{ before: `and ${more} more` }] : [];
  const authors = new Set(news.flatMap(({ author }) => (author === undefined ? [] : [`${author}.`])));
  const whole = (removed?: string): Line[] => [
    ...first.flatMap((same) => [...whatRuns(same), ...whereIn(same, home, 1), ...same.slice(0, 1).flatMap(comeback)]),
    ...rest,
    ...whatToDo("--new", removed),
    ...[...authors].map((before) => ({ before, isOptional: true })),
  ];
  // In little room, the agents and the files are named once.
  const short = [
    { before: `${namesOf(news)} ${verbOf(news)}:` },
    ...first.map((same) => ({ text: commandOf(same) })),
    ...rest,
    { before: `in ${paths.length > 2 ? `${paths.length} files` : paths.join(" and ")}` },
    ...whatToDo("--new"),
  ];
  return told(news, {
    words: `${words} for ${namesOf(news)}`,
    body: fitLines(whole("ID"), maxBody),
    ownWords: {
      summary: fitLines(doFit(whole(), summaryLength) ? whole() : short, summaryLength),
      none: `${namesOf(news)}: ${words}.\nLook: hookbell hooks --new`,
    },
    reason: isNew ? "severalNew" : isChanged ? "severalChanged" : "several",
    kind: "hook",
  });
}

function verbOf(news: readonly DescribedLaunch[]): string {
  if (news[0]?.why !== undefined) return "would run";
  return new Set(news.map(({ launch }) => launch.agent)).size > 1 ? "run" : "runs";
}

function commandOf([first]: readonly DescribedLaunch[]): string {
  return shownCommand(first?.launch.command ?? "");
}

function comeback({ back }: DescribedLaunch): Line[] {
  if (back === undefined) return [];
  const before = back === "removed" ? "You had removed it, and it is back." : "It was gone, and is back.";
  return [{ before, isOptional: true }];
}

/** The command, what stands beside it, and what you had accepted in its place. */
function whatRuns(same: readonly DescribedLaunch[]): Line[] {
  const [first] = same;
  if (first === undefined) return [];
  const { launch, before } = first;
  const around = shownAround(launch);
  const isFile = launch.kind === "code" && launch.at.length === 0;
  return [
    { before: `${namesOf(same)} ${verbOf(same)}: `, text: shortenMiddle(commandOf(same), maxCommand) },
    ...(around === undefined ? [] : [{ before: "with ", text: around }]),
    ...(before === undefined || isFile
      ? []
      : [{ before: "You had accepted: ", text: shownCommand(before, maxCommand), isOptional: true }]),
  ];
}

function whereIn(same: readonly DescribedLaunch[], home: string, most: number): Line[] {
  const placeOf = ({ launch }: DescribedLaunch): string =>
    `${shortName(startedBy(launch))} in ${shortPath(launch.path, home)}:${launch.line}`;
  // Several agents may read one file.
  const places = [...new Set(same.map(placeOf))];
  const more = places.length > most ? [`and ${count(places.length - most, "more place")}`] : [];
  return [
    ...places.slice(0, most).map((before) => ({ before })),
    ...more.map((before) => ({ before, isOptional: true })),
  ];
}

export function shortName(name: string): string {
  return shortenMiddle(name, maxEvent);
}

/** The end of a path says most. */
export function shortPath(path: string, home: string): string {
  const short = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  return shortenMiddle(shownCommand(short), maxPath, 2 / 3);
}

function told(
  news: readonly DescribedLaunch[],
  {
    words,
    body,
    ownWords,
    reason,
    kind,
  }: { words: string; body: string; ownWords: OwnWords; reason: string; kind: string },
): ToldChange {
  const ids = [...new Set(news.map(({ launch }) => launch.id))];
  // What comes back after it was removed is told again.
  const key = `hooks-${sha256([...ids.toSorted(), news[0]?.at].join(" ")).slice(0, 16)}`;
  const project = news[0]?.launch.project;
  const facts = ({ launch, before }: DescribedLaunch, most: number): object => ({
    id: launch.id,
    agent: launch.agent,
    kind: launch.kind,
    event: shownCommand(launch.name, maxName),
    command: shownCommand(launch.command, most),
    ...(before === undefined ? {} : { before: shownCommand(before, most) }),
    file: launch.path,
    line: launch.line,
    scope: launch.scope,
  });
  return {
    key,
    ids,
    payload: {
      hook_event_name: hookChanged,
      session_id: key,
      cwd: project ?? dirname(news[0]?.launch.path ?? ""),
      ...(project === undefined ? { project: subjectOf(news) } : {}),
      title: words,
      message: body,
      reason,
      notification_type: kind,
      own_words: ownWords,
      hook_count: ids.length,
      hooks: news.slice(0, maxShown).map((each) => facts(each, maxCommand)),
      details: { hooks: news.slice(0, maxDetails).map((each) => facts(each, maxDetail)) },
    },
  };
}
