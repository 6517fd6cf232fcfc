// Prints what was thrown: a user's mistake, a file system error, or a bug.
import { codeOf, describeWriteError, exitCodes, messageOf, UserError, type ExitCode } from "../../model/errors.ts";
import { jsonLine } from "./text.ts";

interface ErrorStream {
  write(text: string): unknown;
}

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
  "EEXIST",
  "ELOOP",
  "EISDIR",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
]);

/** With `json`, also prints `{ "error": { "code", "message", "hint"?, … } }`. */
export function showError(error: unknown, stderr: ErrorStream, json?: ErrorStream): ExitCode {
  const userError = error instanceof UserError ? error : asFileProblem(error);
  json?.write(jsonLine({ error: userError === undefined ? bugAsJson(error) : errorAsJson(userError) }));
  return userError === undefined ? showBug(error, stderr) : showUserError(userError, stderr);
}

function showUserError(error: UserError, stderr: ErrorStream): ExitCode {
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

function showBug(error: unknown, stderr: ErrorStream): ExitCode {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`hookbell: this is a bug in hookbell; please report it with these lines:\n${what}\n`);
  return exitCodes.bug;
}

/** The user can fix file system errors, wherever they happen. */
function asFileProblem(error: unknown): UserError | undefined {
  const code = codeOf(error);
  if (code === undefined || !fileErrors.has(code)) return undefined;
  const { path, syscall } = error as { path?: unknown; syscall?: unknown };
  if (typeof path !== "string" || typeof syscall !== "string") return undefined;
  const isReading = readingCalls.has(syscall);
  return new UserError("files.unusable", `cannot ${isReading ? "read" : "use"} ${path}: ${describeWriteError(error)}`, {
    hint: fullDisk.has(code)
      ? "free some space and try again, or set HOOKBELL_STATE_DIR to another folder; nothing in the queue is lost"
      : "it must belong to you; check with hookbell doctor, or set HOOKBELL_STATE_DIR to another folder",
    exitCode: isReading ? exitCodes.failed : exitCodes.cannotWrite,
  });
}
