import type { Wiring } from "../agents/define-wiring.ts";
import { assertOthersKept, fullText, inspectSource, type AgentPlan, type SettingsSource } from "./file-change.ts";
import type { FoundHook, OwnerOfHook } from "./find-hooks.ts";
import type { HookEntry } from "./hook-command.ts";
import { findStructureProblems, seenContainer, type InspectedFile } from "./inspect-settings.ts";
import { entriesOf, memberOf } from "./json-nodes.ts";
import { appendOwnHooks, refreshOwnHooks } from "./put-own-hooks.ts";
import { removeOwnHooks } from "./remove-own-hooks.ts";
import { findWarnings } from "./settings-warnings.ts";

export interface InstallRequest {
  wiring: Wiring;
  /** The agent's files in the order of the wiring. */
  sources: readonly SettingsSource[];
  entryFor(timeoutSeconds: number): HookEntry;
  ownerOf: OwnerOfHook;
}

/** Plans how our hooks get into an agent's settings: no effects, the same answer for the same files. */
export function planInstall({ wiring, sources, entryFor, ownerOf }: InstallRequest): AgentPlan {
  const present = new Set(sources.filter(({ bytes }) => bytes !== undefined).map(({ file }) => file.name));
  const readings = sources
    .filter(({ file }) => file.onlyWithout === undefined || (present.has(file.name) && !present.has(file.onlyWithout)))
    .map((source) => ({ source, reading: inspectSource(source, ownerOf) }));
  const files = readings.flatMap(({ reading }) => ("inspected" in reading ? [reading.inspected] : []));
  const problems = [
    ...readings.flatMap(({ reading }) => ("problems" in reading ? reading.problems : [])),
    ...files.flatMap((file) => findStructureProblems(file, wiring)),
  ];
  if (problems.length > 0) return { changes: [], problems, warnings: [] };

  const homes = homesOfEvents(wiring, files, present);
  const changes = readings.flatMap(({ source, reading }) => {
    if (!("inspected" in reading)) return [];
    const before = reading.inspected;
    const events = Object.keys(wiring.events).filter((event) => homes.get(event) === before);
    const after = installInto(before, events, wiring, entryFor, ownerOf);
    if (after.document.text === before.document.text) return [];
    assertOthersKept(before, after);
    assertInstalled(after, events);
    return [
      {
        source,
        before: source.bytes === undefined ? undefined : fullText(before.document),
        after: fullText(after.document),
      },
    ];
  });
  return { changes, problems: [], warnings: findWarnings(files, wiring) };
}

/** Which file each event goes to: where it stands already, else where it hides nobody else's. */
function homesOfEvents(
  wiring: Wiring,
  files: readonly InspectedFile[],
  present: ReadonlySet<string>,
): Map<string, InspectedFile> {
  const usual = files.find(({ file }) => file.name === wiring.defaultFile);
  // Making the default file anew could hide a whole older one from the agent.
  const filled = files.find((file) => entriesOf(seenContainer(file)).some(({ value }) => value.type === "array"));
  const fallback = usual !== undefined && present.has(usual.file.name) ? usual : (filled ?? usual);
  return new Map(
    Object.keys(wiring.events).flatMap((event) => {
      const home = files.find((file) => memberOf(seenContainer(file), event) !== undefined) ?? fallback;
      return home === undefined ? [] : [[event, home] as const];
    }),
  );
}

/** The file with one hook of ours in each of these events, and none in those that belong to another file. */
function installInto(
  before: InspectedFile,
  events: readonly string[],
  wiring: Wiring,
  entryFor: (timeoutSeconds: number) => HookEntry,
  ownerOf: OwnerOfHook,
): InspectedFile {
  const defaultTimeoutSeconds = Math.max(...Object.values(wiring.events).map(({ timeoutSeconds }) => timeoutSeconds));
  const entryOf = (event: string): HookEntry => entryFor(wiring.events[event]?.timeoutSeconds ?? defaultTimeoutSeconds);
  const superfluous = (own: readonly FoundHook[]): FoundHook[] =>
    own.filter((hook, index) => {
      if (!hook.isSeen) return true;
      // An event that the person wired to us beyond ours is theirs to keep.
      if (!Object.hasOwn(wiring.events, hook.event)) return false;
      const isDouble = own.slice(0, index).some((other) => other.isSeen && other.event === hook.event);
      return isDouble || !events.includes(hook.event);
    });
  const single = removeOwnHooks(
    before,
    superfluous,
    { mayRemoveEvent: () => false, mayRemoveHooksKey: false },
    ownerOf,
  );
  const fresh = refreshOwnHooks(single, entryOf, ownerOf);
  const missing = events.filter((event) => !ownEvents(fresh).includes(event));
  return appendOwnHooks(fresh, missing, entryOf, ownerOf);
}

function assertInstalled(after: InspectedFile, events: readonly string[]): void {
  const own = ownEvents(after);
  const wrong = events.filter((event) => own.filter((name) => name === event).length !== 1);
  if (wrong.length > 0) throw new Error(`the edit of ${after.document.path} would not hook ${wrong.join(", ")} once`);
}

function ownEvents({ hooks }: InspectedFile): string[] {
  return hooks.flatMap((hook) => (hook.owner === "own" && hook.isSeen ? [hook.event] : []));
}
