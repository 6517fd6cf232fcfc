// Errors and problems that a person can fix, exit codes, and in plain words what the system and zod report.
import type * as z from "zod";

/** Codes above 63 are those of sysexits.h. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 64,
  badInput: 65,
  bug: 70,
  cannotWrite: 73,
  badRules: 78,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Printed as message and hint, never with a stack. */
export class UserError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  /** Further members for `--json`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: string,
    message: string,
    options: { hint?: string | undefined; exitCode?: ExitCode; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.name = "UserError";
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? exitCodes.failed;
    this.details = options.details;
  }
}

/** The command line is wrong. */
export function usageError(code: string, message: string, hint?: string): UserError {
  return new UserError(`usage.${code}`, message, { hint, exitCode: exitCodes.usage });
}

/** A SyntaxError quotes the text that is not JSON, which may be a secret of another program, so its own words are not shown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof SyntaxError) return "it is not JSON";
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's error code, such as `ENOENT`. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

const writeErrors: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "there is no such file or folder",
  EEXIST: "something else is in its place",
  ELOOP: "its symbolic links lead in a circle",
  ENOTDIR: "a part of the path is a file, not a folder",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  EIO: "the disk reports an error",
  ENAMETOOLONG: "the path is too long",
  EISDIR: "it is a folder, not a file",
  // The code that `system/files/read.ts` gives.
  ENOTREG: "it is not a regular file but a folder, a pipe, a socket or a device",
  EFBIG: "it is too large",
  ENOTEMPTY: "the folder is not empty",
  EBUSY: "another program is using it",
  EINVAL: "the system cannot do that here",
  ENXIO: "it is not a file but a pipe, a socket or a device",
  ENODEV: "it is a device that this system lacks",
};

export function describeWriteError(thrown: unknown): string {
  const code = codeOf(thrown);
  const known = code === undefined ? undefined : writeErrors[code];
  // No system knows this code.
  if (code === "ENOTREG" && known !== undefined) return known;
  return known === undefined ? messageOf(thrown) : `${known} (${code})`;
}

export interface Problem {
  /** Such as `channels.team.url`; empty for the whole file. */
  path: string;
  message: string;
  hint?: string;
  /** `error` by default. */
  severity?: "error" | "warning";
  /** The place in the text. */
  offset?: number;
  length?: number;
}

/** The kind of a JSON value. The value itself may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "boolean") return String(value);
  if (Number.isNaN(value)) return "no number";
  const kinds: Record<string, string> = { string: "a text", number: "a number", object: "an object" };
  return kinds[typeof value] ?? "nothing";
}

const typeNames: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  tuple: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const units: Record<string, string> = { string: "characters", array: "items", set: "items" };

/** The words for issues of a schema that has no message of its own. */
export function messageOfIssue(issue: z.core.$ZodRawIssue): string {
  const got = `got ${kindOf(issue.input)}`;
  switch (issue.code) {
    case "invalid_type":
      return `expected ${typeNames[issue.expected] ?? issue.expected}, ${got}`;
    case "invalid_value": {
      const values = issue.values.map((value) => JSON.stringify(value));
      return values.length === 1 ? `expected ${values[0]}` : `expected one of ${values.join(", ")}`;
    }
    case "too_small":
    case "too_big":
      return describeSize(issue);
    case "invalid_format":
      return `expected ${formatNames[issue.format] ?? "another format"}`;
    case "not_multiple_of":
      return `expected a multiple of ${String(issue.divisor)}`;
    case "invalid_union":
      return "this matches none of the allowed forms";
    default:
      return "not allowed here";
  }
}

const formatNames: Record<string, string> = {
  url: "a URL",
  email: "an e-mail address",
  date: "a date such as 2026-01-31",
  datetime: "a date and time such as 2026-01-31T18:00:00Z",
  guid: "a UUID",
};

function describeSize(issue: z.core.$ZodRawIssue & { code: "too_small" | "too_big" }): string {
  const isSmall = issue.code === "too_small";
  const bound = Number(isSmall ? issue.minimum : issue.maximum);
  if (isSmall && bound === 1 && issue.origin === "string") return "expected a text that is not empty";
  const unit = units[issue.origin];
  const words = issue.inclusive === false ? ["more than", "less than"] : ["at least", "at most"];
  const limit = `${words[isSmall ? 0 : 1]} ${bound}`;
  return unit === undefined ? `expected ${limit}` : `expected ${limit} ${bound === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** Where a message finds a page of docs/, such as `reference/ANSWERS.md`: the npm package has none of them. */
export function docsUrl(page: string): string {
  return `https://github.com/hookbell/hookbell/blob/main/docs/${page}`;
}
