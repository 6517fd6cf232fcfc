// The event HookChanged: an agent will run something that it did not run before.
import { agentName, agents } from "../../agents/index.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import { listOf, parseJson } from "../../model/json.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, oneLine } from "../../model/text.ts";
import { sha256 } from "../../system/crypto.ts";
import type { NewLaunch } from "./baseline.ts";
import type { Launch } from "./launches/launch.ts";
import type { LaunchOwner } from "./launches/whose.ts";

export const hookChanged = "HookChanged";

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
export function startedBy({ kind, name, matcher }: Pick<Launch, "kind" | "name" | "matcher">): string {
  if (kind === "code") return "loaded at each start";
  const shown = shownCommand(name, maxName);
  if (kind === "server") return `server ${shown}`;
  return matcher === undefined ? shown : `${shown} (${shownCommand(matcher, maxName)})`;
}

/** Agents that run this agent's hooks as well. */
export function alsoRunBy(agent: string): string[] {
  return agents.flatMap(({ id, name }) => (findHookSetup(id)?.imports?.includes(agent) === true ? [name] : []));
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
}

const maxCommand = 400;
const maxPlaces = 4;
const maxDetails = 50;
const maxDetail = 4000;

/** One event for all that have the same command: an installer writes one command for many events and agents. */
export function tellChanges(news: readonly DescribedLaunch[]): ToldChange[] {
  const byCommand = new Map<string, DescribedLaunch[]>();
  for (const each of news) {
    const { command, around = "", kind, project = "" } = each.launch;
    const key = JSON.stringify([kind === "code" ? each.launch.path : command, around, project]);
    byCommand.set(key, [...(byCommand.get(key) ?? []), each]);
  }
  return [...byCommand.values()].map(tellOne);
}

function tellOne(news: readonly DescribedLaunch[]): ToldChange {
  const [first] = news;
  if (first === undefined) throw new Error("no change to tell of");
  const { launch, change, owner, author, why } = first;
  const names = [...new Set(news.map((each) => agentName(each.launch.agent)))];
  const subject = launch.project ?? names.join(", ");
  const kind = launch.name === "folderOpen" ? "task" : kinds[launch.kind];
  const what = `${change === "new" ? "new" : "changed"} ${kind}`;
  const title = launch.project === undefined ? what : `${what} for ${names.join(", ")}`;
  const places = news.map((each) => `${startedBy(each.launch)} in ${each.launch.path}:${each.launch.line}`);
  const more = places.length > maxPlaces ? [`and ${places.length - maxPlaces} more places`] : [];
  const ids = [...new Set(news.map((each) => each.launch.id))];
  const others = alsoRunBy(launch.agent);
  const runs = `${names.join(", ")} will run:`;
  const around = shownAround(launch, maxCommand);
  const scripts = launch.scripts.map(({ path }) => path).join(", ");
  const body = [
    `${runs} ${shownCommand(launch.command, maxCommand)}`,
    ...(around === undefined ? [] : [`with ${around}`]),
    ...(change === "script" ? [`The content of ${scripts} has changed.`] : []),
    [...places.slice(0, maxPlaces), ...more].join("\n"),
    ...(why === undefined ? [] : [`Not yet: ${why}.`]),
    ...(owner === undefined || owner === "hookbell" || change !== "new" ? [] : [`It looks like ${owner.tool}.`]),
    ...(others.length === 0 || launch.kind !== "hook" ? [] : [`${others.join(", ")} may run it as well.`]),
    ...(author === undefined ? [] : [`${author}.`]),
    `Look: hookbell hooks ${ids[0] ?? ""}; not yours: hookbell docs guard`,
  ].join("\n");
  // What comes back after it was removed is told again.
  const key = `hooks-${sha256([...ids.toSorted(), first.at].join(" ")).slice(0, 16)}`;
  return {
    key,
    ids,
    title: `${subject}: ${title}`,
    body,
    payload: {
      hook_event_name: hookChanged,
      session_id: key,
      cwd: subject,
      title,
      message: body,
      reason: change === "new" ? "new" : "changed",
      notification_type: launch.kind,
      details: {
        hooks: news.slice(0, maxDetails).map((each) => ({
          id: each.launch.id,
          agent: each.launch.agent,
          kind: each.launch.kind,
          name: shownCommand(each.launch.name, maxName),
          command: shownCommand(each.launch.command, maxDetail),
          file: each.launch.path,
          line: each.launch.line,
          scope: each.launch.scope,
        })),
      },
    },
  };
}
