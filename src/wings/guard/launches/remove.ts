// Takes one launch out of the text of a settings file; every other byte stays.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { AST } from "toml-eslint-parser";
import { parseToml } from "../../../install/settings/toml.ts";
import { removeChild } from "../../../jsonc/edit.ts";
import { parseJsonc } from "../../../jsonc/parse.ts";
import type { LaunchInFile } from "./launch.ts";
import type { PlaceContent } from "./places.ts";
import { readLaunches } from "./read.ts";

/** Undefined where the text has a form that cannot be edited without a risk for the rest. */
export function withoutLaunch(
  text: string,
  { name, content }: { name: string; content: PlaceContent },
  { kind, at }: Pick<LaunchInFile, "kind" | "at">,
): string | undefined {
  if (content.kind === "code" || content.kind === "frontMatter" || at.length === 0) return undefined;
  // What says how to call the command means nothing without it.
  const isMember = kind === "command" && at.length > 1 && /^(?:command|path)$/.test(String(at.at(-1)));
  const target = isMember ? at.slice(0, -1) : at;
  const after = name.endsWith(".toml") ? withoutToml(text, target) : withoutJson(text, target);
  if (after === undefined) return undefined;
  const keyOf = ({ kind: of, name: event, matcher, command, around }: LaunchInFile): string =>
    JSON.stringify([of, event, matcher, command, around]);
  const before = readLaunches(text, name, content);
  const rest = readLaunches(after, name, content);
  const gone = before.launches.findIndex((each) => JSON.stringify(each.at) === JSON.stringify(at));
  const expected = before.launches.toSpliced(gone, 1).map(keyOf);
  const isRight = gone !== -1 && !rest.isTorn && JSON.stringify(rest.launches.map(keyOf)) === JSON.stringify(expected);
  return isRight ? after : undefined;
}

/** The group and the event go as well if they have nothing else in them. */
function withoutJson(text: string, at: LaunchInFile["at"]): string | undefined {
  const { root, errors } = parseJsonc(text);
  if (root === undefined || errors.length > 0) return undefined;
  const isAlone = (path: LaunchInFile["at"]): boolean =>
    typeof path.at(-1) === "number" && findNodeAtLocation(root, path.slice(0, -1))?.children?.length === 1;
  let target = at;
  // A group has a list of hooks, and a matcher beside it that goes with the last of them.
  const isInGroup = at.at(-2) === "hooks" && typeof at.at(-3) === "number";
  if (isInGroup && isAlone(target)) target = target.slice(0, -2);
  if (isAlone(target) && target.length > 2 && (target !== at || !isInGroup)) target = target.slice(0, -1);
  const found = childAt(root, target);
  return found === undefined ? undefined : removeChild(text, found.container, found.index);
}

/** The property or item at this place. */
function childAt(root: Node, at: LaunchInFile["at"]): { container: Node; index: number } | undefined {
  const container = at.length === 1 ? root : findNodeAtLocation(root, at.slice(0, -1));
  const last = at.at(-1);
  const children = container?.children ?? [];
  const index =
    typeof last === "number" ? last : children.findLastIndex((child) => child.children?.[0]?.value === last);
  return container === undefined || children[index] === undefined ? undefined : { container, index };
}

/** A table with those below it, or a key with its value. */
function withoutToml(text: string, at: LaunchInFile["at"]): string | undefined {
  const parsed = parseToml(text);
  if ("problem" in parsed) return undefined;
  const isBelow = (path: readonly (string | number)[]): boolean =>
    path.length >= at.length && at.every((part, index) => part === path[index]);
  const nodes = parsed.program.body[0].body.flatMap((node): (AST.TOMLTable | AST.TOMLKeyValue)[] => {
    if (node.type === "TOMLTable" && isBelow(node.resolvedKey)) return [node];
    const above = node.type === "TOMLTable" ? node.resolvedKey : [];
    const values = node.type === "TOMLTable" ? node.body : [node];
    return values.filter(({ key }) =>
      isBelow([...above, ...key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value))]),
    );
  });
  if (nodes.length === 0) return undefined;
  return nodes.toReversed().reduce((kept, { range: [from, to] }) => {
    const lineEnd = kept.indexOf("\n", to);
    return kept.slice(0, from) + (lineEnd === -1 ? "" : kept.slice(lineEnd + 1));
  }, text);
}
