// `hookbell hooks`: what agents start by themselves, and what a person says of it.
import { resolve } from "node:path";
import { agentName } from "../../../agents/index.ts";
import { type ExitCode, exitCodes, usageError, UserError } from "../../../model/errors.ts";
import { formatLocalTime } from "../../../model/figures/duration.ts";
import { printableLine } from "../../../model/text.ts";
import { objectOf } from "../../../model/json.ts";
import { listJournal, readJournal } from "../../../outbox/journal.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { splitNames } from "../../../commands/init/choose-agents.ts";
import { suggest } from "../../../rules/nearest.ts";
import { parseArguments } from "../../../console/arguments.ts";
import { askAtTerminal } from "../../../console/ask.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { tryToStat } from "../../../system/files/files.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { shortEventId } from "../../../console/output/show-entry.ts";
import { count, jsonLine, paint } from "../../../console/output/text.ts";
import { accepting, emptyBaseline, updateBaseline, writeBaseline } from "../baseline.ts";
import { guardCommands } from "../help.ts";
import { alsoRunBy } from "../hook-changed.ts";
import { shownAround, shownCommand, startedBy } from "../shown.ts";
import { placesOf } from "../launches/places.ts";
import { isNew, type KnownLaunch, type AllLaunches, lookAtAll } from "./look.ts";
import { removeLaunches } from "./remove.ts";
import { endEscalation, noteSeen } from "./seen.ts";

export async function hooks(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals: ids } = parseArguments(args, guardCommands.hooks.flags);
  const { accept = false, remove = false, cost = false, json = false } = values;
  if (Number(accept) + Number(remove) + Number(cost) > 1) {
    throw usageError("hooks", "only one of --accept, --remove and --cost goes at a time", "see hookbell hooks --help");
  }
  if (cost) {
    const { showCost } = await import("./cost.ts");
    return await showCost(io, json);
  }
  const agents = values.agent === undefined ? undefined : namesOf(values.agent);
  if (values.project !== undefined) requireProject(resolve(io.cwd, values.project));
  const look = lookAtAll(io, { project: values.project, ...(agents === undefined ? {} : { agents }) });
  const chosen = choose(look, ids);
  if (accept) return await acceptThem(io, look, ids.length === 0 ? look.launches : chosen, values);
  if (remove) {
    if (ids.length === 0) throw usageError("hooks", "--remove needs an ID", "hookbell hooks lists them");
    return await removeLaunches(io, chosen, values);
  }
  const shown = chosen.filter((each) => values.new !== true || isNew(each));
  if (json) io.stdout(jsonLine(asJson(look, shown)));
  else io.stdout(showLaunches(io, look, shown, ids.length > 0));
  if (io.isTerminal) noteSeen(io, shown);
  return exitCodes.done;
}

function requireProject(folder: string): void {
  if (tryToStat(folder)?.isFolder === true) return;
  throw usageError("hooks", `there is no folder ${folder}`, "hookbell hooks --project DIR");
}

/** Throws a usage error for an agent that is not known. */
function namesOf(given: readonly string[]): string[] {
  const names = splitNames([...given]);
  const known = Object.keys(placesOf);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return names;
  throw usageError("hooks", `there is no agent ${JSON.stringify(wrong)}`, suggest(wrong, known, "agents"));
}

/** The beginning of an ID is enough. Throws for one that no launch has. */
function choose({ launches }: AllLaunches, ids: readonly string[]): KnownLaunch[] {
  if (ids.length === 0) return launches;
  return ids.flatMap((id) => {
    const found = launches.filter(({ launch }) => launch.id.startsWith(id) && id.length >= 4);
    if (found.length > 0) return found;
    throw new UserError("hooks.unknown", `there is no hook with the ID ${JSON.stringify(id)}`, {
      hint: "hookbell hooks lists them; an ID changes with the command, and with the scripts that it runs",
      exitCode: exitCodes.badInput,
    });
  });
}

async function acceptThem(
  io: CommandIo,
  look: AllLaunches,
  chosen: readonly KnownLaunch[],
  flags: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<ExitCode> {
  const { baseline } = look;
  const layout = layoutOf(io.places.stateDir);
  const now = io.clock.now();
  const others = chosen.filter((each) => each.owner !== "hookbell" && (baseline === undefined || isNew(each)));
  const launches = others.map(({ launch }) => launch);
  if (others.length > 0) io.stdout(blocksOf(io, look, others, true).join("\n"));
  const question = others.length === 1 ? "Accept this?" : `Accept these ${others.length}?`;
  const end = launches.length === 0 ? undefined : await endWithoutConsent(io, flags, question, askWithNoUsual);
  if (end !== undefined) return end;
  if (baseline === undefined) writeBaseline(layout, emptyBaseline(now));
  updateBaseline(layout, (current) => accepting(current, launches, now));
  for (const each of others) endEscalation(io, each, "accepted");
  const ids = new Set(launches.map(({ id }) => id)).size;
  io.stdout(
    ids === 0
      ? "nothing is new\n"
      : `accepted ${count(ids, "program")}; you are not notified of ${ids === 1 ? "it" : "them"} again\n`,
  );
  return exitCodes.done;
}

function shortPath({ places: { home } }: CommandIo, path: string): string {
  return printableLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

/** Enter alone accepts nothing. */
const askWithNoUsual = { confirm: async (question: string) => await askAtTerminal.confirm(question, false) };

/** One block for each file. */
function blocksOf(io: CommandIo, look: AllLaunches, shown: readonly KnownLaunch[], isOne: boolean): string[] {
  const byFile = new Map<string, KnownLaunch[]>();
  for (const each of shown) {
    const key = `${each.launch.agent}\n${each.launch.path}`;
    byFile.set(key, [...(byFile.get(key) ?? []), each]);
  }
  return [...byFile.values()].map((known) => {
    const [first] = known;
    if (first === undefined) return "";
    const { agent, scope, path } = first.launch;
    const notes = look.files.find((file) => file.path === path && file.agent === agent)?.notes ?? [];
    const others = alsoRunBy(agent, { env: io.env, home: io.places.home });
    const also =
      others.length > 0 && scope !== "plug-in" && known.some((each) => each.launch.kind === "hook")
        ? `; ${others.join(", ")} may run these hooks, too`
        : "";
    const head = `${paint(io, "bold", `${agentName(agent)}, ${scopes[scope]}`)}  ${shortPath(io, path)}${notes.length > 0 ? ` (${notes.map(printableLine).join("; ")})` : also}\n`;
    const own = known.filter(({ owner }) => owner === "hookbell");
    const rows = known
      .filter((each) => isOne || each.owner !== "hookbell")
      .map((each) => showOne(io, each, look, isOne));
    return [head, ...rows, ...(own.length > 0 && !isOne ? [ownRow(own)] : [])].join("");
  });
}

/** Only counted, unless some do not run. */
function ownRow(own: readonly KnownLaunch[]): string {
  const off = own.filter(({ willRun }) => willRun.runs === "no");
  const notRun = off.length === 0 ? "" : `; ${off.length} of them cannot run: ${off[0]?.willRun.why ?? ""}`;
  return `  ${count(own.length, "hook")} of hookbell${notRun}\n`;
}

function showLaunches(io: CommandIo, look: AllLaunches, shown: readonly KnownLaunch[], isOne: boolean): string {
  const blocks = blocksOf(io, look, shown, isOne);
  const withoutAny = look.files
    .filter(({ launches, notes }) => launches.length === 0 && notes.length > 0 && !isOne)
    .map(
      ({ agent, scope, path, notes }) =>
        `${agentName(agent)}, ${scopes[scope]}  ${shortPath(io, path)}: ${notes.map(printableLine).join("; ")}\n`,
    );
  const news = shown.filter(isNew);
  const end =
    look.baseline === undefined
      ? "\nhookbell does not watch these yet: hookbell init takes what is there as known\n"
      : news.length === 0
        ? ""
        : `\n${count(new Set(news.map(({ launch }) => launch.id)).size, "program")} not accepted. Yours? hookbell hooks --accept ID. Not yours? hookbell docs "it was not you"\n`;
  if (shown.length === 0) return `${withoutAny.join("")}nothing${look.launches.length > 0 ? " new" : ""}\n`;
  return `${[...blocks, ...withoutAny].join("\n")}${end}`;
}

const scopes = {
  user: "user",
  project: "project",
  local: "project, local",
  managed: "managed",
  "plug-in": "plug-in",
} as const;

const changes = { command: "changed", script: "its script has changed" } as const;

function showOne(io: CommandIo, known: KnownLaunch, { baseline }: AllLaunches, isOne: boolean): string {
  const { launch, owner, willRun, entry } = known;
  const whose = owner === "hookbell" ? "hookbell" : owner === undefined ? "" : `like ${owner.tool}`;
  const isUnknown = baseline !== undefined && isNew(known);
  const since = entry === undefined ? "" : ` since ${formatLocalTime(entry.firstSeen).slice(0, 16)}`;
  const state = isUnknown
    ? paint(io, "yellow", entry?.change === undefined ? `new${since}` : changes[entry.change])
    : "";
  const runs = willRun.runs === "yes" ? "" : `${willRun.runs === "no" ? "does not run" : "runs"}: ${willRun.why ?? ""}`;
  const facts = [`line ${launch.line}`, whose, state, printableLine(runs)].filter(Boolean).join(", ");
  const around = shownAround(launch);
  const more = isOne
    ? [
        ...(entry === undefined ? [] : [`first seen ${formatLocalTime(entry.firstSeen)}`]),
        ...(entry?.accepted === undefined ? [] : [`accepted ${formatLocalTime(entry.accepted)}`]),
        ...(entry?.told === undefined
          ? []
          : [`notified ${formatLocalTime(entry.told.at)}${whyOf(io, entry.told.event)}`]),
        ...launch.scripts.map(({ path }) => `watched with it: ${printableLine(path)}`),
      ]
    : [];
  return [
    `  ${paint(io, "cyan", launch.id)}  ${printableLine(startedBy(launch))}  (${facts})`,
    `      ${shownCommand(launch.command)}`,
    ...(around === undefined ? [] : [`      with ${around}`]),
    ...more.map((line) => `      ${line}`),
    "",
  ].join("\n");
}

/** The command that says what became of the event, if the journal still has it. */
function whyOf({ places }: CommandIo, session: string): string {
  const layout = layoutOf(places.stateDir);
  for (const file of listJournal(layout).toReversed()) {
    for (const { kind, event } of readJournal(layout, file)) {
      const { id, session: of } = objectOf(event);
      if (kind === "event" && of === session) return `: hookbell why ${shortEventId(String(id))}`;
    }
  }
  return "";
}

function asJson({ files, baseline }: AllLaunches, shown: readonly KnownLaunch[]): object {
  const timeOf = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  return {
    watchedSince: timeOf(baseline?.since),
    hooks: shown.map(({ launch, owner, willRun, entry }) => ({
      id: launch.id,
      agent: launch.agent,
      kind: launch.kind,
      name: shownCommand(launch.name),
      matcher: launch.matcher === undefined ? undefined : shownCommand(launch.matcher),
      command: shownCommand(launch.command),
      with: shownAround(launch),
      file: launch.path,
      line: launch.line,
      scope: launch.scope,
      project: launch.project,
      owner: owner === undefined ? "unknown" : owner === "hookbell" ? owner : owner.tool,
      runs: willRun.runs,
      why: willRun.why,
      scripts: launch.scripts.map(({ path }) => path),
      // The agent loads the file itself.
      digest: launch.kind === "code" && launch.at.length === 0 ? launch.around : undefined,
      firstSeen: timeOf(entry?.firstSeen),
      accepted: timeOf(entry?.accepted),
      notified: timeOf(entry?.told?.at),
    })),
    files: files
      .filter(({ notes }) => notes.length > 0)
      .map(({ agent, path, notes }) => ({ agent, file: path, notes })),
  };
}
