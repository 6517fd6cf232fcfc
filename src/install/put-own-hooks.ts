import { getNodeValue } from "jsonc-parser";
import { appendMembers, replaceValue } from "./edit-json.ts";
import { withText } from "./file-change.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import type { HookEntry } from "./hook-command.ts";
import { seenContainer, type InspectedFile } from "./inspect-settings.ts";
import { memberOf } from "./json-nodes.ts";
import { styleOf, writeLines } from "./json-style.ts";

/** The file with every hook of ours as it is written today: an older node or installation is replaced in its place. */
export function refreshOwnHooks(
  file: InspectedFile,
  entryOf: (event: string) => HookEntry,
  ownerOf: OwnerOfHook,
): InspectedFile {
  const { text, root } = file.document;
  // From the end of the text to its start, so that the places of the rest stay right.
  const changed = file.hooks
    .filter(({ owner }) => owner === "own")
    .toReversed()
    .reduce((edited, { handler, event }) => {
      const wanted = refreshed(getNodeValue(handler) as Record<string, unknown>, entryOf(event));
      return wanted === undefined ? edited : replaceValue(edited, handler, wanted, styleOf(text, root));
    }, text);
  return changed === text ? file : withText(file, changed, ownerOf);
}

/** The file with a hook of ours at the end of each of these events. */
export function appendOwnHooks(
  file: InspectedFile,
  events: readonly string[],
  entryOf: (event: string) => HookEntry,
  ownerOf: OwnerOfHook,
): InspectedFile {
  if (events.length === 0) return file;
  const { text, root } = file.document;
  const style = styleOf(text, root);
  const container = seenContainer(file);
  const groupOf = (event: string): unknown => ({ hooks: [entryOf(event)] });
  const added = Object.fromEntries(
    events.filter((event) => memberOf(container, event) === undefined).map((event) => [event, [groupOf(event)]]),
  );
  const isWrapped = file.file.shape === "wrapped";

  if (root === undefined) {
    const whole = isWrapped ? { hooks: added } : added;
    return withText(file, writeLines(whole, style, "") + style.lineEnd, ownerOf);
  }
  const members = Object.entries(added).map(([key, value]) => ({ key, value }));
  const [holder, toAdd] = container === undefined ? [root, [{ key: "hooks", value: added }]] : [container, members];
  const edits = [
    ...(members.length === 0 ? [] : [{ place: holder, members: toAdd }]),
    ...events.flatMap((event) => {
      const place = memberOf(container, event);
      return place === undefined ? [] : [{ place, members: [{ value: groupOf(event) }] }];
    }),
  ];
  // What ends last in the text is edited first; an event's array ends before the object around it.
  edits.sort((a, b) => b.place.offset + b.place.length - (a.place.offset + a.place.length));
  const changed = edits.reduce((edited, edit) => appendMembers(edited, edit.place, edit.members, style), text);
  return withText(file, changed, ownerOf);
}

/** A hook of ours as it should be, or undefined when it is; what the person set besides, like a timeout, stays. */
function refreshed(found: Record<string, unknown>, wanted: HookEntry): Record<string, unknown> | undefined {
  // Claude Code kills an `async` hook when a `claude -p` ends, and the notification with it.
  const isAsync = found.async === true || found.asyncRewake === true;
  const isSame =
    found.type === wanted.type &&
    found.command === wanted.command &&
    JSON.stringify(found.args) === JSON.stringify(wanted.args) &&
    typeof found.timeout === "number" &&
    !isAsync;
  if (isSame) return undefined;
  const { args: _args, async: _async, asyncRewake: _asyncRewake, timeout, ...kept } = found;
  return { ...kept, ...wanted, timeout: typeof timeout === "number" ? timeout : wanted.timeout };
}
