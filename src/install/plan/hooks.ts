// Plans the edits of settings files that hold hooks.
import type { HookSetup } from "../../agents/hook-setup.ts";
import {
  type AgentPlan,
  assertOthersKept,
  doubleCalls,
  emptyPlan,
  fullText,
  type HooksSource,
  inspectSource,
  type InstallRequest,
  joinPlans,
  type OwnFileSource,
  textOfBytes,
} from "../settings/file-change.ts";
import { type FoundHook, hookContainers } from "../settings/find-hooks.ts";
import { findStructureProblems, seenContainer, type InspectedFile, isSwitchedOff } from "../settings/inspect.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { appendOwnHooks, appendRequired, missingMembers, refreshOwnHooks } from "../settings/put-hooks.ts";
import { removeOwnHooks } from "../settings/remove-hooks.ts";
import { exitCodes } from "../../model/errors.ts";
import { planTables } from "./hook-tables.ts";
import type { InstallProblem } from "../problem.ts";
import { callsHookbell, isMarkedOwn, isUntouchedOwn, ownFileText } from "../command/owner.ts";

function planHooks(sources: readonly HooksSource[], request: InstallRequest): AgentPlan {
  const { hookSetup, ownerOf } = request;
  const present = new Set(sources.filter(({ bytes }) => bytes !== undefined).map(({ file }) => file.name));
  const readings = sources
    .filter(({ file }) => file.onlyWithout === undefined || (present.has(file.name) && !present.has(file.onlyWithout)))
    .map((source) => ({ source, reading: inspectSource(source, ownerOf) }));
  const readable = readings.flatMap(({ reading }) => ("inspected" in reading ? [reading.inspected] : []));
  const problems = [
    ...readings.flatMap(({ reading }) => ("problems" in reading ? reading.problems : [])),
    ...readable.flatMap((file) => findStructureProblems(file, hookSetup)),
  ];
  if (problems.length > 0 && hookSetup.isEveryFileUsed !== true) return { ...emptyPlan, problems };

  const files = readable.filter(({ document }) => problems.every(({ path }) => path !== document.path));
  if (files.length === 0) return { ...emptyPlan, problems };
  const homes = homesOfEvents(hookSetup, files);
  const changes = readings.flatMap(({ source, reading }) => {
    if (!("inspected" in reading) || !files.includes(reading.inspected)) return [];
    const before = reading.inspected;
    const events = Object.keys(hookSetup.events).filter(
      (event) => homes.get(event)?.includes(before) === true && isDue(event, files, request),
    );
    const after = installInto(before, events, request);
    if (after.document.text === before.document.text) return [];
    assertOthersKept(before, after, missingMembers(before));
    assertInstalled(after, events);
    return [
      {
        source,
        before: source.bytes === undefined ? undefined : fullText(before.document),
        after: fullText(after.document),
      },
    ];
  });
  const events = Object.keys(hookSetup.events).filter((event) => isDue(event, files, request));
  const missing = events.filter((event) => homes.get(event)?.some((file) => !ownEvents(file).includes(event)) === true);
  return { changes, problems, warnings: findWarnings(files, hookSetup), events, missing };
}

function isDue(event: string, files: readonly InspectedFile[], { isWanted }: InstallRequest): boolean {
  return isWanted(event) || files.some((file) => ownNames(file).includes(event));
}

/** The file that has the event, else one where it hides no other hooks. */
function homesOfEvents(hookSetup: HookSetup, files: readonly InspectedFile[]): Map<string, readonly InspectedFile[]> {
  // A new file could hide the hooks of another one.
  const filled = files.find((file) => entriesOf(seenContainer(file)).some(({ value }) => value.type === "array"));
  const fallback = filled ?? files.find(({ file }) => file.name === hookSetup.defaultFile);
  return new Map(
    Object.keys(hookSetup.events).flatMap((event) => {
      if (hookSetup.isEveryFileUsed === true) return [[event, files] as const];
      const home = files.find((file) => memberOf(seenContainer(file), event) !== undefined) ?? fallback;
      return home === undefined ? [] : [[event, [home]] as const];
    }),
  );
}

function installInto(before: InspectedFile, events: readonly string[], request: InstallRequest): InspectedFile {
  const { hookSetup, entryFor } = request;
  const superfluous = (own: readonly FoundHook[]): FoundHook[] =>
    own.filter((hook, index) => {
      if (!hook.isSeen) return true;
      // An event for which the user calls hookbell stays.
      if (!Object.hasOwn(hookSetup.events, hook.event)) return false;
      const isDouble = own.slice(0, index).some((other) => other.isSeen && other.event === hook.event);
      return isDouble || !events.includes(hook.event);
    });
  const keepEmpty = { mayRemoveEvent: () => false, mayRemoveHooksKey: false, addedMembers: [] };
  const fresh = refreshOwnHooks(removeOwnHooks(before, superfluous, keepEmpty), entryFor);
  const missing = events.filter((event) => !ownEvents(fresh).includes(event));
  const installed = appendOwnHooks(fresh, missing, entryFor, (event) => hookSetup.events[event]?.matcher);
  return events.length === 0 ? installed : appendRequired(installed);
}

function assertInstalled(after: InspectedFile, events: readonly string[]): void {
  const own = ownEvents(after);
  const wrong = events.filter((event) => own.filter((name) => name === event).length !== 1);
  if (wrong.length > 0) throw new Error(`the edit of ${after.document.path} would not hook ${wrong.join(", ")} once`);
}

function ownEvents({ hooks }: InspectedFile): string[] {
  return hooks.flatMap((hook) => (hook.owner === "own" && hook.isSeen ? [hook.event] : []));
}

/** The events of hookbell's hooks, whether the agent looks there or not. */
function ownNames({ hooks }: InspectedFile): string[] {
  return hooks.flatMap((hook) => (hook.owner === "own" ? [hook.event] : []));
}

function findWarnings(files: readonly InspectedFile[], hookSetup: HookSetup): string[] {
  return files.flatMap((inspected) => {
    const { file, document, hooks } = inspected;
    const warnings: string[] = [];
    if (isSwitchedOff(inspected)) {
      warnings.push(
        `${document.path}: "${file.offSwitch?.join(".")}" is ${file.offValue ?? true}: the agent runs no hooks until you remove it`,
      );
    }
    const ignored = hookContainers(document.root, file)
      .filter(({ isSeen }) => !isSeen)
      .flatMap(({ container }) => entriesOf(container).map(({ name }) => name))
      // hookbell's own hooks there are moved without a warning.
      .filter((name) => !hooks.some((hook) => !hook.isSeen && hook.event === name && hook.owner === "own"));
    if (ignored.length > 0) {
      warnings.push(
        `${document.path}: the agent ignores "hooks" in this file (${ignored.join(", ")}); events belong at the top`,
      );
    }
    const seen = hooks.filter(({ isSeen }) => isSeen);
    return [...warnings, ...doubleCalls(document.path, seen, hookSetup)];
  });
}

export function planInstall(request: InstallRequest): AgentPlan {
  const { hookSetup, sources, folder } = request;
  if (hookSetup.missingFiles !== undefined && sources.length === 0) {
    return { ...emptyPlan, problems: [{ path: folder, ...hookSetup.missingFiles, exitCode: exitCodes.failed }] };
  }
  const plan = joinPlans([
    ...sources.flatMap((source) => (source.kind === "own" ? [planOwnFile(source, request)] : [])),
    planHooks(
      sources.filter((source) => source.kind === "hooks"),
      request,
    ),
    ...sources.flatMap((source) => (source.kind === "tables" ? [planTables(source, request)] : [])),
  ]);
  return plan.problems.length > 0 && hookSetup.isEveryFileUsed !== true
    ? { ...emptyPlan, problems: plan.problems }
    : plan;
}

type Request = Pick<InstallRequest, "hookSetup" | "platform" | "isWanted" | "argvFor">;

/** A file of that name that is not hookbell's is never overwritten. */
function planOwnFile(source: OwnFileSource, request: Request): AgentPlan {
  const { file, path, bytes } = source;
  const before = bytes === undefined ? undefined : textOfBytes(bytes);
  const events = dueEvents(source, before, request);
  if (events.length === 0) return emptyPlan;
  // A manifest handles no event.
  const installed = file.comment === undefined ? emptyPlan : { ...emptyPlan, events };
  const answering = events.filter((event) => request.hookSetup.events[event]?.isAnswering === true);
  const call = { argv: request.argvFor(file.event), platform: request.platform, events, answering };
  const after = ownFileText(file, call);
  if (before === after) return installed;
  if (before === undefined || isUntouchedOwn(before)) {
    const missing = installed.events.filter((event) => before === undefined || !isNamedIn(before, source, event));
    return { ...installed, missing, changes: [{ source, before, after }] };
  }
  if (file.comment === undefined ? isSameManifest(before, after) : callsHookbell(before)) {
    const warning = `${path}: you changed it, so it stays as it is`;
    return isMarkedOwn(before) ? { ...installed, warnings: [warning] } : installed;
  }
  return { ...emptyPlan, problems: [foreignProblem(source, request)] };
}

/** The events that are to get a hook; those that the file handles already stay. */
function dueEvents(
  { file }: Pick<OwnFileSource, "file">,
  before: string | undefined,
  { hookSetup, isWanted }: Request,
): string[] {
  const all = file.event === undefined ? Object.keys(hookSetup.events) : [file.event];
  const isThere = (event: string): boolean =>
    before !== undefined && isMarkedOwn(before) && isNamedIn(before, { file }, event);
  return all.filter((event) => isWanted(event) || isThere(event));
}

function isNamedIn(text: string, { file }: Pick<OwnFileSource, "file">, event: string): boolean {
  return file.event === event || file.eventsIn?.(text).includes(event) === true;
}

function foreignProblem({ file, path }: OwnFileSource, { argvFor, platform }: Request): InstallProblem {
  const command = argvFor(file.event).join(" ");
  const hint =
    file.isExecutable === true && platform !== "win32"
      ? `move it away, or call hookbell from it: input=$(cat); printf '%s' "$input" | ${command} >/dev/null`
      : "move it away, then run this again";
  return { path, message: "this file exists and is not hookbell's", hint, exitCode: exitCodes.cannotWrite };
}

/** A manifest has no place for a mark: its name says whose it is. */
function isSameManifest(before: string, after: string): boolean {
  try {
    const [found, wanted] = [before, after].map((text) => (JSON.parse(text) as { name?: unknown } | null)?.name);
    return found !== undefined && found === wanted;
  } catch {
    return false;
  }
}
