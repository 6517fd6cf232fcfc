// The event HookChanged: an agent will run something that it did not run before.
import { agentName, agents } from "../../agents/index.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, oneLine } from "../../model/text.ts";
import { sha256 } from "../../system/crypto.ts";
import type { NewLaunch } from "./baseline.ts";
import type { Launch } from "./launches/launch.ts";
import type { LaunchOwner } from "./launches/whose.ts";

export const hookChanged = "HookChanged";

/** A command as people may see it: without credentials, on one line. */
export function shownCommand(command: string, most = Infinity): string {
  return cut(oneLine(scrub(command).text), most);
}

const kinds: Readonly<Record<Launch["kind"], string>> = {
  hook: "hook",
  server: "MCP server",
  command: "command",
  code: "plug-in",
};

/** What starts it: an event, a name, a setting. */
export function startedBy({ kind, name, matcher }: Pick<Launch, "kind" | "name" | "matcher">): string {
  if (kind === "code") return "loaded at each start";
  if (kind === "server") return `server ${name}`;
  return matcher === undefined ? name : `${name} (${matcher})`;
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
  const { launch, isChange, owner, author, why } = first;
  const names = [...new Set(news.map((each) => agentName(each.launch.agent)))];
  const subject = launch.project ?? names.join(", ");
  const what = `${isChange ? "changed" : "new"} ${kinds[launch.kind]}`;
  const title = launch.project === undefined ? what : `${what} for ${names.join(", ")}`;
  const places = news.map((each) => `${startedBy(each.launch)} in ${each.launch.path}:${each.launch.line}`);
  const more = places.length > maxPlaces ? [`and ${places.length - maxPlaces} more places`] : [];
  const ids = [...new Set(news.map((each) => each.launch.id))];
  const others = alsoRunBy(launch.agent);
  const runs = `${names.join(", ")} will run:`;
  const body = [
    `${runs} ${shownCommand(launch.command, maxCommand)}`,
    [...places.slice(0, maxPlaces), ...more].join("\n"),
    ...(why === undefined ? [] : [`Not yet: ${why}.`]),
    ...(owner === undefined || owner === "hookbell" ? [] : [`It looks like ${owner.tool}.`]),
    ...(others.length === 0 || launch.kind !== "hook" ? [] : [`Also run by ${others.join(", ")}.`]),
    ...(author === undefined ? [] : [`${author}.`]),
    `Look: hookbell hooks ${ids[0] ?? ""}`,
  ].join("\n");
  const key = `hooks-${sha256(ids.toSorted().join(" ")).slice(0, 16)}`;
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
      reason: isChange ? "changed" : "new",
      notification_type: launch.kind,
      details: {
        hooks: news.map((each) => ({
          id: each.launch.id,
          agent: each.launch.agent,
          kind: each.launch.kind,
          name: each.launch.name,
          command: shownCommand(each.launch.command),
          file: each.launch.path,
          line: each.launch.line,
          scope: each.launch.scope,
        })),
      },
    },
  };
}
