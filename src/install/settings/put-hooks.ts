// Adds hookbell's hooks to the text of a settings file, or brings them up to date.
import { getNodeValue } from "jsonc-parser";
import { answeringTimeoutSeconds } from "../../agents/hook-setup.ts";
import { appendMembers, replaceValue } from "../../jsonc/edit.ts";
import { type InstallRequest, withText } from "./file-change.ts";
import { commandKeys, hooksKeyOf } from "./find-hooks.ts";
import type { HookEntry } from "../command/hook-command.ts";
import { seenContainer, type InspectedFile } from "./inspect.ts";
import { memberOf } from "../../jsonc/nodes.ts";
import { styleOf, writeLines } from "../../jsonc/style.ts";

export function refreshOwnHooks(file: InspectedFile, entryOf: InstallRequest["entryFor"]): InspectedFile {
  const { text, root } = file.document;
  // Edit from the end of the text, so that earlier offsets stay valid.
  const changed = file.hooks
    .filter(({ owner }) => owner === "own")
    .toReversed()
    .reduce((edited, { handler, event }) => {
      const found = getNodeValue(handler) as Record<string, unknown>;
      const wanted = refreshed(
        found,
        entryOf(
          event,
          commandKeys.map((key) => found[key]).find((each) => each !== undefined),
        ),
      );
      return wanted === undefined ? edited : replaceValue(edited, handler, wanted, styleOf(text, root));
    }, text);
  return changed === text ? file : withText(file, changed);
}

/** Each event gets its hook at the end. */
export function appendOwnHooks(
  file: InspectedFile,
  events: readonly string[],
  entryOf: (event: string) => HookEntry,
  matcherOf: (event: string) => string | undefined,
): InspectedFile {
  if (events.length === 0) return file;
  const { text, root } = file.document;
  const style = styleOf(text, root);
  const container = seenContainer(file);
  const groupOf = (event: string): unknown => {
    const matcher = matcherOf(event);
    const matched = matcher === undefined ? {} : { matcher };
    return file.layout === "flat" ? { ...matched, ...entryOf(event) } : { ...matched, hooks: [entryOf(event)] };
  };
  const added = Object.fromEntries(
    events.filter((event) => memberOf(container, event) === undefined).map((event) => [event, [groupOf(event)]]),
  );
  const isWrapped = file.file.shape === "wrapped";
  const hooksKey = hooksKeyOf(file.file);

  if (root === undefined) {
    const whole = isWrapped ? { ...file.file.required, [hooksKey]: added } : added;
    return withText(file, writeLines(whole, style, "") + style.lineEnd);
  }
  const nothing = container === undefined ? memberOf(root, hooksKey) : undefined;
  if (nothing !== undefined) return withText(file, replaceValue(text, nothing, added, style));
  const members = Object.entries(added).map(([key, value]) => ({ key, value }));
  const [holder, toAdd] = container === undefined ? [root, [{ key: hooksKey, value: added }]] : [container, members];
  const edits = [
    ...(members.length === 0 ? [] : [{ place: holder, members: toAdd }]),
    ...events.flatMap((event) => {
      const place = memberOf(container, event);
      return place === undefined ? [] : [{ place, members: [{ value: groupOf(event) }] }];
    }),
  ];
  // An event's array ends before the object around it.
  edits.sort((a, b) => b.place.offset + b.place.length - (a.place.offset + a.place.length));
  const changed = edits.reduce((edited, edit) => appendMembers(edited, edit.place, edit.members, style), text);
  return withText(file, changed);
}

export function appendRequired(file: InspectedFile): InspectedFile {
  const { text, root } = file.document;
  const missing = missingMembers(file);
  if (root === undefined || missing.length === 0) return file;
  const members = missing.map((key) => ({ key, value: file.file.required?.[key] }));
  return withText(file, appendMembers(text, root, members, styleOf(text, root)));
}

export function missingMembers({ file, document }: InspectedFile): string[] {
  return Object.keys(file.required ?? {}).filter((name) => memberOf(document.root, name) === undefined);
}

/** The rest of an entry is the user's. */
const managedKeys: readonly string[] = [...commandKeys, "args", "async", "asyncRewake"];
const timeoutKeys: readonly string[] = ["timeout", "timeoutSec", "timeout_ms"];

function waitsForAnswer(entry: Record<string, unknown>): boolean {
  return JSON.stringify(entry).includes(" --answer");
}

/** Whether the agent would end a hook that waits for an answer too early, or the time is that of a hook which did wait. */
function isOutOfDate(timeout: number, found: Record<string, unknown>, wanted: HookEntry, timeoutKey: string): boolean {
  if (waitsForAnswer(wanted)) return timeout < Number(wanted[timeoutKey]);
  return waitsForAnswer(found) && [answeringTimeoutSeconds, answeringTimeoutSeconds * 1000].includes(timeout);
}

/** Undefined when nothing changes; what the user set, like a timeout, stays. */
function refreshed(found: Record<string, unknown>, wanted: HookEntry): Record<string, unknown> | undefined {
  // `async` is removed: Claude Code kills such hooks when `claude -p` ends.
  const timeoutKey = timeoutKeys.find((key) => Object.hasOwn(wanted, key));
  const own = timeoutKey === undefined ? undefined : found[timeoutKey];
  const timeout =
    timeoutKey !== undefined && typeof own === "number" && !isOutOfDate(own, found, wanted, timeoutKey)
      ? own
      : undefined;
  const isSame =
    managedKeys.every((key) =>
      isOff(found[key]) ? isOff(wanted[key]) : JSON.stringify(found[key]) === JSON.stringify(wanted[key]),
    ) &&
    (wanted.type === undefined || found.type === wanted.type) &&
    (timeoutKey === undefined || timeout !== undefined);
  if (isSame) return undefined;
  const fresh = timeoutKey !== undefined && timeout !== undefined ? { ...wanted, [timeoutKey]: timeout } : wanted;
  // Members keep their order.
  const kept = Object.entries(found).flatMap(([key, value]) => {
    if (Object.hasOwn(fresh, key)) return [[key, fresh[key]] as const];
    return managedKeys.includes(key) ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(kept), ...fresh };
}

function isOff(value: unknown): boolean {
  return value === undefined || value === false;
}
