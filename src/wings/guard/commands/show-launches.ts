// What `hookbell hooks` prints: a block for each file, wrapped at the terminal's width.
import { agentName } from "../../../agents/index.ts";
import { formatLocalTime } from "../../../model/figures/duration.ts";
import { listOf, objectOf, parseJson } from "../../../model/json.ts";
import { hookChanged } from "../../../model/own-events.ts";
import { printableLine } from "../../../model/text.ts";
import { listJournal, readJournal } from "../../../outbox/journal.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { shortEventId } from "../../../console/output/show-entry.ts";
import { count, paint, reportColumns, wrap, wrapLines } from "../../../console/output/text.ts";
import type { Entry } from "../baseline.ts";
import { alsoRunBy } from "../hook-changed.ts";
import { shownAround, shownCommand, startedBy } from "../shown.ts";
import type { Launch } from "../launches/launch.ts";
import { scopes } from "../launches/places.ts";
import type { WillRun } from "../launches/will-run.ts";
import { type AllLaunches, type GoneLaunch, isNew, type KnownLaunch } from "./look.ts";

function shortPath({ places: { home } }: CommandIo, path: string): string {
  return printableLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

/** One block for each file. */
export function blocksOf(io: CommandIo, look: AllLaunches, shown: readonly KnownLaunch[], isOne: boolean): string[] {
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
    const said = notes.length > 0 ? ` (${notes.map(printableLine).join("; ")})` : also;
    const title = paint(io, "bold", `${agentName(agent)}, ${scopes[scope]}`);
    const remark =
      known.length > 1 && known.every(({ willRun }) => isSame(willRun, first.willRun)) ? remarkOn(first) : "";
    const ofAll =
      remark === ""
        ? []
        : [`${first.willRun.runs === "no" ? "none" : "each"} of them ${remark.replace("does not run", "runs")}`];
    const own = known.filter(({ owner }) => owner === "hookbell");
    const listed = known.filter((each) => isOne || each.owner !== "hookbell");
    return [
      `${fold(io, `${title}  ${shortPath(io, path)}${said}`, "", "  ")}\n`,
      ...ofAll.map((line) => `${fold(io, line, "  ")}\n`),
      ...listed.map((each) => showOne(io, each, look, { isOne, isSaid: remark !== "" })),
      ...(own.length > 0 && !isOne ? [`${fold(io, ownRow(own, remark !== ""), "  ")}\n`] : []),
    ].join("");
  });
}

function isSame(one: WillRun, other: WillRun): boolean {
  return one.runs === other.runs && one.why === other.why;
}

/** Empty of what runs. */
function remarkOn({ willRun: { runs, why } }: KnownLaunch): string {
  return runs === "yes" ? "" : printableLine(`${runs === "no" ? "does not run" : "runs"}: ${why ?? ""}`);
}

/** Wrapped at the width of the terminal, where it has one. */
function fold(io: CommandIo, text: string, indent: string, hanging = indent): string {
  return indent + wrap(text, reportColumns(io) - hanging.length, hanging);
}

/** Only counted, unless some do not run. */
function ownRow(own: readonly KnownLaunch[], isSaid: boolean): string {
  const off = isSaid ? [] : own.filter(({ willRun }) => willRun.runs === "no");
  const many =
    off.length < own.length
      ? `${off.length} of them cannot run`
      : own.length === 1
        ? "it cannot run"
        : "none of them can run";
  const notRun = off.length === 0 ? "" : `; ${many}: ${off[0]?.willRun.why ?? ""}`;
  return `${count(own.length, "hook")} of hookbell${printableLine(notRun)}`;
}

export function showLaunches(io: CommandIo, look: AllLaunches, shown: readonly KnownLaunch[], isOne: boolean): string {
  const blocks = blocksOf(io, look, shown, isOne);
  const withoutAny = look.files
    .filter(({ launches, notes }) => launches.length === 0 && notes.length > 0 && !isOne)
    .map(
      ({ agent, scope, path, notes }) =>
        `${fold(io, `${agentName(agent)}, ${scopes[scope]}  ${shortPath(io, path)}: ${notes.map(printableLine).join("; ")}`, "", "  ")}\n`,
    );
  const news = shown.filter(isNew);
  const end =
    look.baseline === undefined
      ? "\nhookbell does not watch these yet: hookbell init takes what is there as known\n"
      : news.length === 0
        ? ""
        : `\n${count(new Set(news.map(({ launch }) => launch.id)).size, "program")} not accepted. Yours? hookbell hooks --accept ID. Not yours? hookbell docs "it was not you"\n`;
  if (shown.length === 0) return `${withoutAny.join("")}nothing${look.launches.length > 0 ? " new" : ""}\n`;
  return `${[...blocks, ...withoutAny].join("\n")}${wrapLines(end, reportColumns(io))}`;
}

const changes = { command: "changed", script: "its script has changed" } as const;

function showOne(
  io: CommandIo,
  known: KnownLaunch,
  { baseline }: AllLaunches,
  { isOne, isSaid }: { isOne: boolean; isSaid: boolean },
): string {
  const { launch, owner, entry } = known;
  const whose = owner === "hookbell" ? "hookbell" : owner === undefined ? "" : `like ${owner.tool}`;
  const isUnknown = baseline !== undefined && isNew(known);
  const since = entry === undefined ? "" : ` since ${formatLocalTime(entry.firstSeen).slice(0, 16)}`;
  const state = isUnknown
    ? paint(io, "yellow", entry?.change === undefined ? `new${since}` : changes[entry.change])
    : "";
  const facts = [`line ${launch.line}`, whose, state, isSaid ? "" : remarkOn(known)].filter(Boolean).join(", ");
  const around = shownAround(withoutShown(launch));
  const lines = [
    shownCommand(launch.command),
    ...(around === undefined ? [] : [`with ${around}`]),
    ...(isUnknown ? youHadAccepted(launch, entry) : []),
    ...(isOne ? whatIsKnown(io, entry) : []),
    ...(isOne ? launch.scripts.map(({ path }) => `watched with it: ${printableLine(path)}`) : []),
  ];
  const indent = "      ";
  return [
    fold(io, `${paint(io, "cyan", launch.id)}  ${printableLine(startedBy(launch))}  (${facts})`, "  ", indent),
    ...lines.map((line) => fold(io, line, indent)),
    "",
  ].join("\n");
}

/** The address or prompt that its command shows whole is not shown again beside it. */
function withoutShown(launch: Launch): Launch {
  const { around, command, kind } = launch;
  if (around === undefined || kind === "code") return launch;
  const isShown = (each: unknown): boolean => {
    const [name, value] = listOf(each);
    return (name === "url" || name === "prompt") && typeof value === "string" && command.endsWith(` ${value}`);
  };
  return { ...launch, around: JSON.stringify(listOf(parseJson(around)).filter((each) => !isShown(each))) };
}

function youHadAccepted(launch: Launch, { before }: Partial<Entry> = {}): string[] {
  if (before === undefined || (launch.kind === "code" && launch.at.length === 0)) return [];
  return [`you had accepted: ${printableLine(before)}`];
}

function whatIsKnown(io: CommandIo, entry: Entry | undefined): string[] {
  if (entry === undefined) return [];
  const { firstSeen, accepted, told, removed, gone } = entry;
  return [
    `first seen ${formatLocalTime(firstSeen)}`,
    ...(accepted === undefined ? [] : [`accepted ${formatLocalTime(accepted)}`]),
    ...(removed === undefined ? [] : [`removed ${formatLocalTime(removed)} by hookbell hooks --remove`]),
    ...(gone === undefined || removed !== undefined ? [] : [`gone since ${formatLocalTime(gone)}`]),
    ...(told === undefined
      ? []
      : [`notified ${formatLocalTime(told.at)}${whyOf(io, ({ session }) => session === told.event)}`]),
  ];
}

/** What is known of what is in no file any more, or in none that was looked at. */
export function showGone(io: CommandIo, { id, entry }: GoneLaunch, { launches }: AllLaunches): string {
  const { agent, path, shown, slot, accepted, told, removed, gone, lastSeen } = entry;
  const isAbout = ({ name, message }: Told): boolean => name === hookChanged && String(message).includes(id);
  const notified = removed === undefined || told !== undefined ? "" : whyOf(io, isAbout);
  const instead = launches.filter((each) => each.launch.slot === slot && isNew(each)).map(({ launch }) => launch.id);
  const lines = [
    ...(shown === undefined ? [] : [printableLine(shown)]),
    ...(agent === undefined || path === undefined ? [] : [`of ${agentName(agent)}, in ${shortPath(io, path)}`]),
    ...whatIsKnown(io, entry),
    ...(removed === undefined && gone === undefined ? [`last seen ${formatLocalTime(lastSeen).slice(0, 10)}`] : []),
    ...(notified === "" ? [] : [`notified of it${notified}`]),
    ...(instead.length === 0 ? [] : [`in its place: hookbell hooks ${[...new Set(instead)].join(" ")}`]),
  ];
  const again = accepted === undefined ? "; if it comes back, you are notified again" : "";
  const where =
    removed !== undefined
      ? `you removed it${again}`
      : gone !== undefined
        ? `its file is without it${again}`
        : "in none of the files that were read now; --project DIR reads those of another project";
  const indent = "      ";
  const text = [
    fold(io, `${paint(io, "cyan", id)}  (${where})`, "  ", indent),
    ...lines.map((line) => fold(io, line, indent)),
  ];
  return `${text.join("\n")}\n`;
}

type Told = Readonly<Record<string, unknown>>;

/** The command that says what became of the event, if the journal still has it. */
function whyOf({ places }: CommandIo, isMeant: (event: Told) => boolean): string {
  const layout = layoutOf(places.stateDir);
  for (const file of listJournal(layout).toReversed()) {
    for (const { kind, event } of readJournal(layout, file).toReversed()) {
      const told = objectOf(event);
      if (kind === "event" && isMeant(told)) return `: hookbell why ${shortEventId(String(told.id))}`;
    }
  }
  return "";
}
