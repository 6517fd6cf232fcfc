// Errors and problems that a person can fix, exit codes, and the text of system errors.

/** Those above 63 are sysexits.h's. */
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

export function messageOf(thrown: unknown): string {
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
  ENOTDIR: "a part of the path is a file, not a folder",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  EIO: "the disk reports an error",
  ENAMETOOLONG: "the path is too long",
};

export function describeWriteError(thrown: unknown): string {
  const code = codeOf(thrown);
  const known = code === undefined ? undefined : writeErrors[code];
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
