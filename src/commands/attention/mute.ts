// `hookbell mute` and `hookbell unmute`.
import { resolve } from "node:path";
import { describeMute, isSameMute, muteScopes, type Mute } from "../../policies/mute.ts";
import { nextInstantOf, parseTimeOfDay, wallTimeAt } from "../../model/figures/wall-clock.ts";
import { parseDuration } from "../../model/figures/duration.ts";
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { idsMeant, withSessionName } from "../../sessions/names.ts";
import { composed, lastPart } from "../../model/places/folder.ts";
import { textOf } from "../../model/json.ts";
import { printableLine } from "../../model/text.ts";
import type { Layout } from "../../outbox/layout.ts";
import { addMute, endMutes, readMutes } from "../../outbox/attention.ts";
import { maskText } from "../../model/privacy/originals.ts";
import { listSessions } from "../../outbox/sessions.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { findChannel } from "../../rules/built-in.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine } from "../../console/output/text.ts";
import { attentionCommands } from "../help/attention.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";

type Target = Pick<Mute, "scope" | "name">;

const everything: Target = { scope: "all", name: "" };

export async function mute(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, attentionCommands.mute.flags, 1);
  const dispatcher = await openDispatcher(io);
  const { layout } = dispatcher;
  const now = io.clock.now();
  const mutes = readMutes(layout, now);
  if (values.list === true) {
    show(mutes, layout, values.json, now, io);
    return exitCodes.done;
  }
  const until = readEnd(positionals[0], now);
  const target = readTarget(values, layout, io) ?? (until === undefined ? undefined : everything);
  if (target === undefined) {
    throw usageError(
      "mute",
      "mute stops notifications; say which, or for how long",
      "hookbell mute 2h, hookbell mute --project ., or hookbell mute --all until hookbell unmute",
    );
  }
  const added: Mute = until === undefined ? target : { ...target, until };
  addMute(layout, added, now);
  if (values.json) show([added], layout, true, now, io);
  else {
    const end = howItEnds(until, positionals[0] ?? "", now);
    const known = isKnown(dispatcher, target) ? "" : `note: ${unknown(target)}\n`;
    io.stdout(`muted: ${describe(added, layout, now)}${end}\n${known}`);
  }
  return exitCodes.done;
}

export async function unmute(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, attentionCommands.unmute.flags, 0);
  const { layout } = await openDispatcher(io);
  const now = io.clock.now();
  const target = readTarget(values, layout, io);
  const isEvery = target === undefined || target.scope === "all";
  const mutes = readMutes(layout, now);
  const ended = mutes.filter((each) => isEvery || isSameMute(each, target));
  if (ended.length === 0 && values.json !== true) {
    io.stdout(mutes.length === 0 ? "nothing is muted\n" : "that is not muted; see: hookbell mute --list\n");
    return exitCodes.done;
  }
  unmuteNow(layout, ended, now, io);
  if (values.json) show(ended, layout, true, now, io);
  else for (const each of ended) io.stdout(`no longer muted: ${describe(each, layout, now)}\n`);
  return exitCodes.done;
}

/** A time of day that is past means tomorrow's, which the user may not have meant. */
function howItEnds(until: number | undefined, asked: string, nowMs: number): string {
  if (until === undefined) return ", until: hookbell unmute";
  const isToday = wallTimeAt(until, undefined).day === wallTimeAt(nowMs, undefined).day;
  if (isToday || parseTimeOfDay(asked) === undefined) return "";
  return ` tomorrow, since ${asked} is past today; to end it: hookbell unmute`;
}

/** Starts a dispatcher for what waited. */
export function unmuteNow(layout: Layout, ended: readonly Target[], nowMs: number, io: CommandIo): void {
  if (endMutes(layout, ended, nowMs).length > 0) wake(io);
}

function readTarget(
  values: Partial<Record<Exclude<Mute["scope"], "all">, string | undefined>> & { all?: boolean | undefined },
  layout: Layout,
  io: CommandIo,
): Target | undefined {
  const given = muteScopes.flatMap((scope): Target[] => {
    if (scope === "all") return values.all === true ? [everything] : [];
    const name = values[scope];
    if (name === undefined) return [];
    if (scope === "session") return [{ scope, name: wholeSession(layout, name) }];
    const folder = scope === "project" ? folderMeant(name, io) : undefined;
    if (folder === undefined) return [{ scope, name: maskText(composed(name)) }];
    // The project as events name it: by its repository, also in a subfolder.
    const project = findWorkTree(folder, io.places.home)?.repository ?? lastPart(folder);
    return [{ scope, name: maskText(project) }];
  });
  if (given.length > 1) throw usageError("mute", "a mute has one target", "mute each one separately");
  return given[0];
}

/** A path is no name of a project. */
function folderMeant(name: string, { cwd, places: { home } }: CommandIo): string | undefined {
  if (/^~(?=[\\/]|$)/.test(name)) return resolve(home, name.slice(2));
  return /^\.{1,2}$|[\\/]/.test(name) ? resolve(cwd, name) : undefined;
}

/** Messages show how a session's id ends. */
function wholeSession(layout: Layout, typed: string): string {
  const found = idsMeant(
    typed,
    listSessions(layout).map(({ session }) => session),
  );
  if (found.length > 1) {
    throw usageError("mute", `several sessions have ids like ${JSON.stringify(typed)}`, `one of: ${found.join(", ")}`);
  }
  return found[0] ?? typed;
}

/** Whether anything that has been seen is meant. What comes later may be: names are free. */
function isKnown({ layout, rules }: Dispatcher, { scope, name }: Target): boolean {
  if (scope === "all" || scope === "file") return true;
  if (scope === "channel") return findChannel(rules().rules, name) !== undefined;
  return listSessions(layout).some((each) => each[scope] === name);
}

function unknown({ scope, name }: Target): string {
  if (scope === "channel") return `no channel ${JSON.stringify(name)} is in the rules file`;
  return `no session of this ${scope === "session" ? "id" : scope} has been seen yet; see: hookbell sessions --all`;
}

/** A duration from now, or the next time the clock shows this time of day. */
function readEnd(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0) return nowMs + duration;
  const minutes = parseTimeOfDay(text);
  if (minutes !== undefined) return nextInstantOf(minutes, nowMs, undefined);
  throw usageError(
    "mute",
    `${JSON.stringify(text)} is neither a time nor a duration`,
    "hookbell mute 2h, hookbell mute 15:00, or hookbell mute --project NAME",
  );
}

function describe(mute: Mute, layout: Layout, nowMs: number): string {
  const sessions = mute.scope === "session" ? listSessions(layout) : [];
  return printableLine(describeMute(withSessionName(mute, sessions, nowMs), nowMs));
}

function show(mutes: readonly Mute[], layout: Layout, isJson: boolean | undefined, nowMs: number, io: CommandIo): void {
  if (isJson) {
    const rows = mutes.map(({ scope, name, until, by }) => {
      return { scope, name: textOf(name), until: until === undefined ? undefined : new Date(until).toISOString(), by };
    });
    io.stdout(jsonLine({ muted: rows }));
    return;
  }
  if (mutes.length === 0) io.stdout("nothing is muted\n");
  for (const each of mutes) io.stdout(`${describe(each, layout, nowMs)}\n`);
}
