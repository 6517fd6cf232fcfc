import { exitCodes, type ExitCode, type PersonError } from "../model/errors.ts";

interface ErrorStream {
  write(text: string): unknown;
}

/** A mistake of the person's: what happened, and how to mend it. No stack. */
export function showPersonError(error: PersonError, stderr: ErrorStream): ExitCode {
  stderr.write(`hookbell: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
  return error.exitCode;
}

/** A mistake of ours: enough to report it. */
export function showBug(error: unknown, stderr: ErrorStream): ExitCode {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`hookbell: this is a bug in hookbell; please report it with these lines:\n${what}\n`);
  return exitCodes.bug;
}
