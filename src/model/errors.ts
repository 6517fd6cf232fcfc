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

/** An error that a person can mend. It is printed as its message and hint, never with a stack. */
export class PersonError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, options: { hint?: string; exitCode?: ExitCode } = {}) {
    super(message);
    this.name = "PersonError";
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? exitCodes.failed;
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
