import { codeOf, describeWriteError, exitCodes, messageOf, UserError, type ExitCode } from "../../model/errors.ts";
import { jsonLine } from "./text.ts";

interface ErrorStream {
  write(text: string): unknown;
}

/** Calls that only read: their failure is not that something cannot be written. */
const readingCalls = new Set(["scandir", "stat", "lstat", "read", "readlink", "access"]);
const fullDisk = new Set(["ENOSPC", "EDQUOT"]);
const fileErrors = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "ENOTDIR",
  "EISDIR",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
]);

/**
 * Tells the person about anything that was thrown: their mistake, their machine's, or ours; and the program that asked
 * for JSON, as `{ "error": { "code", "message", "hint"?, … } }` on its standard output.
 */
export function showError(error: unknown, stderr: ErrorStream, json?: ErrorStream): ExitCode {
  const forPerson = error instanceof UserError ? error : asFileProblem(error);
  json?.write(jsonLine({ error: forPerson === undefined ? bugAsJson(error) : errorAsJson(forPerson) }));
  return forPerson === undefined ? showBug(error, stderr) : showPersonError(forPerson, stderr);
}

/** A mistake of the person's: what happened, and how to fix it. No stack. */
function showPersonError(error: UserError, stderr: ErrorStream): ExitCode {
  const hint = error.hint === undefined ? "" : `  ${error.hint.replaceAll("\n", "\n  ")}\n`;
  stderr.write(`hookbell: ${error.message}\n${hint}`);
  return error.exitCode;
}

function errorAsJson({ code, message, hint, details }: UserError): object {
  const [firstLine = ""] = message.split("\n");
  return {
    code,
    message: details === undefined ? message : firstLine,
    ...(hint === undefined ? {} : { hint }),
    ...details,
  };
}

function bugAsJson(error: unknown): object {
  return { code: "bug", message: messageOf(error) };
}

/** A mistake of ours: enough to report it. */
function showBug(error: unknown, stderr: ErrorStream): ExitCode {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`hookbell: this is a bug in hookbell; please report it with these lines:\n${what}\n`);
  return exitCodes.bug;
}

/** A file or folder that the system does not let us use is for the person to fix, wherever we stumble over it. */
function asFileProblem(error: unknown): UserError | undefined {
  const code = codeOf(error);
  if (code === undefined || !fileErrors.has(code)) return undefined;
  const { path, syscall } = error as { path?: unknown; syscall?: unknown };
  if (typeof path !== "string" || typeof syscall !== "string") return undefined;
  const isReading = readingCalls.has(syscall);
  return new UserError("files.unusable", `cannot ${isReading ? "read" : "use"} ${path}: ${describeWriteError(error)}`, {
    hint: fullDisk.has(code)
      ? "make room there and run it again, or name another state folder with HOOKBELL_STATE_DIR; what waits stays"
      : "it must belong to you; hookbell doctor looks at what it needs, HOOKBELL_STATE_DIR names another state folder",
    exitCode: isReading ? exitCodes.failed : exitCodes.cannotWrite,
  });
}
