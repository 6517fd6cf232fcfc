// Validates a part of the rules file by its schema, and turns zod's issues into problems with positions.
import { messageOfIssue, type Problem } from "../../model/errors.ts";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type * as z from "zod";
import { offsetInText } from "../../jsonc/position.ts";
import { nearest, suggest } from "../nearest.ts";
import type { TextPlace } from "../schema/file-schema.ts";
import { type JsonSchema, knownKeysAt } from "../schema/known-keys.ts";
import { maxProblems, problemAt } from "./document.ts";

/** What was validated. Paths of issues start at `node`, which is at `path` of the file. */
export interface ValidatedNode {
  text: string;
  node: Node;
  path: readonly string[];
  /** As JSON Schema, for the known keys; made only when something is wrong. */
  schema: () => JsonSchema;
}

/** An issue about several keys is one problem for each. */
function describeIssue(issue: z.core.$ZodIssue, looked: ValidatedNode): Problem[] {
  const path = [...looked.path, ...issue.path.map(String)].join(".");
  const node = findNode(looked.node, issue.path);
  if (node === undefined) return [describeMissing(issue, looked, path)];
  const { message } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .filter((key) => key !== "__proto__")
      .slice(0, maxProblems + 1)
      .map((key) => describeUnknownKey(key, issue.path, node, looked));
  }
  if (issue.code === "invalid_key") {
    const key = node.parent?.children?.[0] ?? node;
    return [problemAt(key, [path], { message: issue.issues[0]?.message ?? "not a valid name" })];
  }
  if (issue.code === "invalid_value" && typeof node.value === "string") {
    const known = issue.values.filter((value) => typeof value === "string");
    return [problemAt(node, [path], { message, hint: didYouMean(nearest(node.value, known)) })];
  }
  if (issue.code === "invalid_union") return [describeUnion(issue, node, looked, path)];
  if (issue.code === "custom" && typeof issue.params?.index === "number") {
    const { index, length, hint } = issue.params as unknown as TextPlace;
    const start = offsetInText(looked.text, node, index);
    const end = offsetInText(looked.text, node, index + length);
    return [{ path, message, hint, offset: start, length: end - start }];
  }
  return [problemAt(node, [path], { message })];
}

function describeMissing(issue: z.core.$ZodIssue, looked: ValidatedNode, path: string): Problem {
  const parentPath = issue.path.slice(0, -1);
  const last = issue.path.at(-1);
  const key = String(last ?? "");
  const parent = findNode(looked.node, parentPath) ?? looked.node;
  if (typeof last === "number") {
    return problemAt(parent, [path], { message: `expected at least ${last + 1} ${last === 0 ? "item" : "items"}` });
  }
  const hint = knownKeysAt(looked.schema(), parentPath).get(key);
  // A check of several settings may report one that is missing.
  const message = issue.code === "custom" ? issue.message : `${JSON.stringify(key)} is missing`;
  return { path, message, hint, offset: parent.offset, length: 1 };
}

function describeUnknownKey(key: string, path: readonly PropertyKey[], parent: Node, looked: ValidatedNode): Problem {
  const property = parent.children?.find((child) => child.children?.[0]?.value === key);
  const node = property?.children?.[0] ?? parent;
  const known = [...knownKeysAt(looked.schema(), path).keys()];
  const isTypo = nearest(key, known) !== undefined;
  const message = `there is no setting ${JSON.stringify(key)} here`;
  const hint = (isTypo ? undefined : rightPlaceOf(key, path, known, looked)) ?? suggest(key, known, "settings here");
  return problemAt(node, [...looked.path, ...path.map(String), key], { message, hint });
}

/** Where the key would be known: one level further out, or in one of the settings here. */
function rightPlaceOf(
  key: string,
  path: readonly PropertyKey[],
  known: readonly string[],
  looked: ValidatedNode,
): string | undefined {
  const isKnownAt = (place: readonly PropertyKey[]): boolean => knownKeysAt(looked.schema(), place).has(key);
  const last = path.at(-1);
  if (typeof last === "string" && isKnownAt(path.slice(0, -1))) return `it belongs beside "${last}", not in it`;
  const inner = known.find((each) => isKnownAt([...path, each]));
  return inner === undefined ? undefined : `it belongs in "${inner}"`;
}

/** A key close to a known one is probably a typo. */
function describeUnion(
  { message, path: inNode }: z.core.$ZodIssueInvalidUnion,
  node: Node,
  looked: ValidatedNode,
  path: string,
): Problem {
  const known = [...knownKeysAt(looked.schema(), inNode).keys()];
  for (const child of node.type === "object" ? (node.children ?? []) : []) {
    const key = child.children?.[0];
    const meant = key === undefined || known.includes(key.value) ? undefined : nearest(String(key.value), known);
    if (key !== undefined && meant !== undefined) return problemAt(key, [path], { message, hint: didYouMean(meant) });
  }
  return problemAt(node, [path], { message });
}

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean "${name}"?`;
}

type Issue = z.core.$ZodIssue;

/** The issues of the form that the person was clearly writing, else the union's own. */
function flattenIssues(issues: readonly Issue[], node: Node, prefix: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = [...prefix, ...issue.path];
    const here = { ...issue, path };
    if (issue.code !== "invalid_union") return [here];
    const forms = issue.errors.filter((form) => form.every((inner) => isInside(inner, node, path)));
    const [best] = forms.toSorted((a, b) => a.length - b.length);
    return best === undefined || best.length === 0 ? [here] : flattenIssues(best, node, path);
  });
}

/** The value has the right type, no extra key and no missing one. */
function isInside(issue: Issue, node: Node, prefix: readonly PropertyKey[]): boolean {
  if (issue.code === "invalid_union" && issue.path.length === 0) {
    return issue.errors.some((form) => form.every((inner) => isInside(inner, node, prefix)));
  }
  const isOutside =
    issue.path.length === 0 && ["invalid_type", "invalid_value", "unrecognized_keys"].includes(issue.code);
  return !isOutside && findNode(node, [...prefix, ...issue.path]) !== undefined;
}

function findNode(root: Node, path: readonly PropertyKey[]): Node | undefined {
  const segments = path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  return findNodeAtLocation(root, segments);
}

export function readNode<T>(
  schema: z.ZodType<T>,
  value: unknown,
  looked: ValidatedNode,
): { value: T; problems?: undefined } | { value?: undefined; problems: Problem[] } {
  let result: z.ZodSafeParseResult<T>;
  try {
    result = schema.safeParse(value, { error: messageOfIssue });
  } catch (error) {
    // zod compares the member `length` of any object with the longest text allowed.
    if (!(error instanceof TypeError)) throw error;
    const node = findKey(looked.node, "length") ?? looked.node;
    return { problems: [problemAt(node, looked.path, { message: '"length" is not a setting here' })] };
  }
  if (result.success) return { value: result.data };
  const issues = flattenIssues(result.error.issues.slice(0, maxProblems + 1), looked.node).slice(0, maxProblems + 1);
  return { problems: issues.flatMap((issue) => describeIssue(issue, looked)) };
}

/** The key itself, at any depth. */
function findKey(node: Node, key: string): Node | undefined {
  if (node.type === "property" && node.children?.[0]?.value === key) return node.children[0];
  for (const child of node.children ?? []) {
    const found = findKey(child, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
