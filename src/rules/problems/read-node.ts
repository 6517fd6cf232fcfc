import type * as z from "zod";
import type { Problem } from "../../model/problem.ts";
import { describeIssue, type Looked } from "./schema-issues.ts";
import { flattenIssues } from "./flatten-issues.ts";
import { messageOfIssue } from "./issue-message.ts";
import { maxProblems } from "./max-problems.ts";

/** A part of the file by its schema: the parsed value, or every problem with its place. */
export function readNode<T>(
  schema: z.ZodType<T>,
  value: unknown,
  looked: Looked,
): { value: T; problems?: undefined } | { value?: undefined; problems: Problem[] } {
  const result = schema.safeParse(value, { error: messageOfIssue });
  if (result.success) return { value: result.data };
  const issues = flattenIssues(result.error.issues.slice(0, maxProblems + 1), looked.node).slice(0, maxProblems + 1);
  return { problems: issues.flatMap((issue) => describeIssue(issue, looked)) };
}
