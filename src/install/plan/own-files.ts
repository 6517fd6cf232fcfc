// Plans the files that belong to hookbell alone, such as a plug-in.
import { exitCodes } from "../../model/errors.ts";
import {
  emptyPlan,
  joinPlans,
  textOfBytes,
  type AgentPlan,
  type InstallRequest,
  type OwnFileSource,
} from "../settings/file-change.ts";
import type { InstallProblem } from "../problem.ts";
import { callsHookbell, isMarkedOwn, isUntouchedOwn, ownFileText } from "../command/owner.ts";

type Request = Pick<InstallRequest, "wiring" | "platform" | "isWanted" | "argvFor">;

/** A file of that name that is not hookbell's is never overwritten. */
export function planOwnFiles(sources: readonly OwnFileSource[], request: Request): AgentPlan {
  return joinPlans(sources.map((source) => planFile(source, request)));
}

function planFile(source: OwnFileSource, request: Request): AgentPlan {
  const { file, path, bytes } = source;
  const before = bytes === undefined ? undefined : textOfBytes(bytes);
  const events = dueEvents(source, before, request);
  if (events.length === 0) return emptyPlan;
  // A manifest handles no event.
  const wired = file.comment === undefined ? emptyPlan : { ...emptyPlan, events };
  const answering = events.filter((event) => request.wiring.events[event]?.isAnswering === true);
  const call = { argv: request.argvFor(file.event), platform: request.platform, events, answering };
  const after = ownFileText(file, call);
  if (before === after) return wired;
  if (before === undefined || isUntouchedOwn(before)) {
    const missing = wired.events.filter((event) => before === undefined || !isNamedIn(before, source, event));
    return { ...wired, missing, changes: [{ source, before, after }] };
  }
  if (file.comment === undefined ? isSameManifest(before, after) : callsHookbell(before)) {
    const warning = `${path}: you changed it, so it stays as it is`;
    return isMarkedOwn(before) ? { ...wired, warnings: [warning] } : wired;
  }
  return { ...emptyPlan, problems: [foreignProblem(source, request)] };
}

/** Those that it handles already stay. */
function dueEvents(
  { file }: Pick<OwnFileSource, "file">,
  before: string | undefined,
  { wiring, isWanted }: Request,
): string[] {
  const all = file.event === undefined ? Object.keys(wiring.events) : [file.event];
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
