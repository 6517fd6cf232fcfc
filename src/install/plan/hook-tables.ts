// Plans the `[[hooks]]` tables of a TOML file: those that init adds, and those that uninstall removes.
import type { HookEntry } from "../command/hook-command.ts";
import {
  type AgentPlan,
  doubleCalls,
  emptyPlan,
  type InstallRequest,
  planOfMixed,
  planOfUnreadable,
  type TablesSource,
} from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import {
  appendTables,
  type HookTable,
  isOwn,
  readTables,
  type TablesFile,
  withCommand,
  withoutTables,
} from "../settings/hook-tables.ts";

type Request = Pick<InstallRequest, "hookSetup" | "isWanted" | "entryFor" | "ownerOf">;

export function planTables(source: TablesSource, { hookSetup, isWanted, entryFor, ownerOf }: Request): AgentPlan {
  const reading = readTables(source, ownerOf, true);
  if ("problems" in reading) return { ...emptyPlan, problems: reading.problems };
  const { file } = reading;
  const own = file.tables.filter(isOwn);
  const events = Object.keys(hookSetup.events).filter(
    (event) => isWanted(event) || own.some((each) => each.event === event),
  );
  const missing = events.filter((event) => !own.some((each) => each.event === event));
  // An event for which the user calls hookbell stays.
  const double = own.filter((each, index) => own.slice(0, index).some(({ event }) => event === each.event));
  const commandFor = ({ event, values }: HookTable): string => String(entryFor(event, values.command).command);
  const outdated = own.filter(
    (each) => !double.includes(each) && events.includes(each.event) && each.values.command !== commandFor(each),
  );
  const single = reread(source, withoutTables(file, double), ownerOf);
  const refreshed = single.tables
    .filter((each) => outdated.some(({ event }) => event === each.event && isOwn(each)))
    .reduceRight((text, each) => withCommand(text, each, commandFor(each)), single.text);
  const entries = missing.map((event) => tableFor(event, hookSetup.events[event]?.matcher, entryFor(event)));
  const after = reread(source, missing.length === 0 ? refreshed : appendTables(refreshed, entries), ownerOf);
  assertKept(file, after);
  const wrong = events.filter(
    (event) => after.tables.filter((each) => isOwn(each) && each.event === event).length !== 1,
  );
  if (wrong.length > 0) throw new Error(`the edit of ${file.path} would not hook ${wrong.join(", ")} once`);
  const before = source.bytes === undefined ? undefined : file.text;
  return {
    ...emptyPlan,
    events,
    missing,
    changes: after.text === (before ?? "") ? [] : [{ source, before, after: after.text }],
    warnings: doubleCalls(file.path, file.tables, hookSetup),
  };
}

function tableFor(event: string, matcher: string | undefined, entry: HookEntry): HookEntry {
  return { event, ...(matcher === undefined ? {} : { matcher }), ...entry };
}

/** `isOurs`: init made the file, so that it goes with its last line. */
export function planTablesRemoval(source: TablesSource, isOurs: boolean, ownerOf: OwnerOfHook): AgentPlan {
  const reading = readTables(source, ownerOf, false);
  if ("problems" in reading) return planOfUnreadable(source, reading.problems);
  const { file } = reading;
  const plan = planOfMixed(file.path, file.tables);
  const own = file.tables.filter(isOwn);
  if (own.length === 0) return plan;
  const after = reread(source, withoutTables(file, own), ownerOf);
  assertKept(file, after);
  const text = isOurs && after.text.trim() === "" ? undefined : after.text;
  return { ...plan, changes: [{ source, before: file.text, after: text }] };
}

function reread(source: TablesSource, text: string, ownerOf: OwnerOfHook): TablesFile {
  const reading = readTables({ ...source, bytes: new TextEncoder().encode(text) }, ownerOf, false);
  if ("problems" in reading) {
    throw new Error(`the edit of ${source.path} would not be readable: ${reading.problems[0]?.message}`);
  }
  return reading.file;
}

function assertKept(before: TablesFile, after: TablesFile): void {
  if (before.others !== after.others) {
    throw new Error(`the edit of ${before.path} would change more than hookbell's own tables`);
  }
}
