/** Exit codes outside `hook`; those above 63 are sysexits.h's. */
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

/** An error that a person can fix. It is printed as its message and hint, never with a stack. */
export class UserError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  /** What the further lines of the message say, for a program: members of what `--json` prints of the error. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: string,
    message: string,
    options: { hint?: string; exitCode?: ExitCode; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.name = "UserError";
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? exitCodes.failed;
    this.details = options.details;
  }
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's error code (`ENOENT`) of anything that was thrown, if it has one. */
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

/** Why something could not be written, as a person says it. */
export function describeWriteError(thrown: unknown): string {
  const code = codeOf(thrown);
  const known = code === undefined ? undefined : writeErrors[code];
  return known === undefined ? messageOf(thrown) : `${known} (${code})`;
}
