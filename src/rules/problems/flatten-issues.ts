import { findNodeAtLocation, type Node } from "jsonc-parser";
import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/**
 * Issues one by one, with the paths from the top. Of a union, the issues of the form that the person was plainly
 * writing; where that cannot be told, the union's own.
 */
export function flattenIssues(issues: readonly Issue[], node: Node, prefix: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = [...prefix, ...issue.path];
    const here = { ...issue, path };
    if (issue.code !== "invalid_union") return [here];
    const forms = issue.errors.filter((form) => form.every((inner) => isInside(inner, node, path)));
    const [best] = forms.toSorted((a, b) => a.length - b.length);
    return best === undefined || best.length === 0 ? [here] : flattenIssues(best, node, path);
  });
}

/** Whether the value has this form at least from the outside: the right type, no key too many and none missing. */
function isInside(issue: Issue, node: Node, prefix: readonly PropertyKey[]): boolean {
  if (issue.code === "invalid_union" && issue.path.length === 0) {
    return issue.errors.some((form) => form.every((inner) => isInside(inner, node, prefix)));
  }
  const isOutside =
    issue.path.length === 0 && ["invalid_type", "invalid_value", "unrecognized_keys"].includes(issue.code);
  return !isOutside && findNode(node, [...prefix, ...issue.path]) !== undefined;
}

export function findNode(root: Node, path: readonly PropertyKey[]): Node | undefined {
  const segments = path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  return findNodeAtLocation(root, segments);
}
