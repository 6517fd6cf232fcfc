// `hookbell hooks`: what agents start by themselves, and what a person says of it.
import { resolve } from "node:path";
import { type ExitCode, exitCodes, usageError, UserError } from "../../../model/errors.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { meantAgent, splitNames } from "../../../commands/init/choose-agents.ts";
import { parseArguments } from "../../../console/arguments.ts";
import { askWithNoUsual } from "../../../console/ask.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { tryToStat } from "../../../system/files/files.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { count, jsonLine } from "../../../console/output/text.ts";
import { accepting, emptyBaseline, updateBaseline, writeBaseline } from "../baseline.ts";
import { guardCommands } from "../help.ts";
import { shownAround, shownCommand } from "../shown.ts";
import { placesOf } from "../launches/places.ts";
import { isNew, type GoneLaunch, type KnownLaunch, type AllLaunches, lookAtAll } from "./look.ts";
import { removeLaunches } from "./remove.ts";
import { endEscalation, noteSeen } from "./seen.ts";
import { blocksOf, showGone, showLaunches } from "./show-launches.ts";

export async function hooks(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals: ids } = parseArguments(args, guardCommands.hooks.flags);
  const { accept = false, remove = false, cost = false, json = false } = values;
  refuseCombinations({ ...values, ID: ids.length > 0 });
  if (cost) {
    const { showCost } = await import("./cost.ts");
    return await showCost(io, json);
  }
  const agents = values.agent === undefined ? undefined : namesOf(values.agent);
  if (values.project !== undefined) requireProject(resolve(io.cwd, values.project));
  const look = lookAtAll(io, { project: values.project, ...(agents === undefined ? {} : { agents }) });
  // What is seen here for the first time was there at this moment, whether or not a dispatcher runs.
  const { change } = look;
  if (change !== undefined) updateBaseline(layoutOf(io.places.stateDir), change);
  const { chosen, gone } = choose(look, ids);
  if (accept || remove) requirePresent(gone);
  if (accept) return await acceptThem(io, look, ids.length === 0 ? look.launches : chosen, values);
  if (remove) {
    if (ids.length === 0) throw usageError("hooks", "--remove needs an ID", "hookbell hooks lists them");
    return await removeLaunches(io, chosen, values);
  }
  const shown = chosen.filter((each) => values.new !== true || isNew(each));
  if (json) io.stdout(jsonLine(asJson(look, shown, gone)));
  else {
    if (shown.length > 0 || gone.length === 0) io.stdout(showLaunches(io, look, shown, ids.length > 0));
    for (const each of gone) io.stdout(showGone(io, each, look));
  }
  if (io.isTerminal) noteSeen(io, shown);
  return exitCodes.done;
}

/** Each of the first does something of its own, to which the others say nothing. */
const apart: readonly (readonly [one: string, others: readonly string[]])[] = [
  ["--cost", ["--accept", "--remove", "--new", "--project", "--agent", "--yes", "ID"]],
  ["--remove", ["--accept", "--new", "--json"]],
  ["--accept", ["--json"]],
];

/** Throws a usage error for the first two that do not go together. */
function refuseCombinations(given: Readonly<Record<string, unknown>>): void {
  const isGiven = (name: string): boolean => ![undefined, false].includes(given[name.replace(/^--/, "")] as undefined);
  for (const [one, others] of apart) {
    const other = isGiven(one) ? others.find(isGiven) : undefined;
    if (other !== undefined)
      throw usageError(
        "hooks",
        `${one} and ${other === "ID" ? "an ID" : other} cannot be combined`,
        "leave one of them out",
      );
  }
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
  throw usageError(
    "hooks",
    `there is no agent ${JSON.stringify(wrong)}`,
    `${meantAgent(wrong, known)}agents: ${known.join(", ")}`,
  );
}

/** An unambiguous beginning of an ID is enough. Throws for one that nothing has, now or before. */
function choose(
  { launches, baseline }: AllLaunches,
  ids: readonly string[],
): { chosen: KnownLaunch[]; gone: GoneLaunch[] } {
  if (ids.length === 0) return { chosen: launches, gone: [] };
  const present = new Set(launches.map(({ launch }) => launch.id));
  const wanted = new Set(
    ids.map((id) => soleWith(id, [...present]) ?? soleWith(id, Object.keys(baseline?.entries ?? {})) ?? unknownId(id)),
  );
  return {
    chosen: launches.filter(({ launch }) => wanted.has(launch.id)),
    gone: [...wanted].flatMap((id) => {
      const entry = present.has(id) ? undefined : baseline?.entries[id];
      return entry === undefined ? [] : [{ id, entry }];
    }),
  };
}

const maxNamed = 10;

/** Undefined if none begins so. Throws if several do. */
function soleWith(beginning: string, ids: readonly string[]): string | undefined {
  const found = beginning === "" ? [] : ids.filter((id) => id.startsWith(beginning));
  if (found.length < 2) return found[0];
  const more = found.length > maxNamed ? `, and ${found.length - maxNamed} more` : "";
  throw new UserError("hooks.ambiguous", `more than one ID begins with ${JSON.stringify(beginning)}`, {
    hint: `they are ${found.slice(0, maxNamed).join(", ")}${more}`,
    exitCode: exitCodes.badInput,
  });
}

function unknownId(id: string): never {
  throw new UserError("hooks.unknown", `there is no hook with the ID ${JSON.stringify(id)}`, {
    hint: "hookbell hooks lists them; an ID changes with the command, and with the scripts that it runs",
    exitCode: exitCodes.badInput,
  });
}

function requirePresent([gone]: readonly GoneLaunch[]): void {
  if (gone === undefined) return;
  throw new UserError("hooks.gone", `${gone.id} is in none of the files that were read`, {
    hint: `hookbell hooks ${gone.id} says what is known of it`,
    exitCode: exitCodes.badInput,
  });
}

async function acceptThem(
  io: CommandIo,
  look: AllLaunches,
  chosen: readonly KnownLaunch[],
  flags: { yes?: boolean | undefined },
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

function asJson({ files, baseline }: AllLaunches, shown: readonly KnownLaunch[], gone: readonly GoneLaunch[]): object {
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
      before: entry?.accepted === undefined ? entry?.before : undefined,
      scripts: launch.scripts.map(({ path }) => path),
      // The agent loads the file itself.
      digest: launch.kind === "code" && launch.at.length === 0 ? launch.around : undefined,
      firstSeen: timeOf(entry?.firstSeen),
      accepted: timeOf(entry?.accepted),
      notified: timeOf(entry?.told?.at),
    })),
    gone: gone.map(({ id, entry }) => ({
      id,
      agent: entry.agent,
      file: entry.path,
      was: entry.shown,
      firstSeen: timeOf(entry.firstSeen),
      lastSeen: timeOf(entry.lastSeen),
      accepted: timeOf(entry.accepted),
      removed: timeOf(entry.removed),
      gone: timeOf(entry.gone),
    })),
    files: files
      .filter(({ notes }) => notes.length > 0)
      .map(({ agent, path, notes }) => ({ agent, file: path, notes })),
  };
}
