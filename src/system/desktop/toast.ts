// Desktop notifications on macOS and Windows through node-notifier.
import { createRequire } from "node:module";
import type { Environment } from "../environment.ts";
import { runProcess, type ProcessResult } from "../process/run.ts";

/** The notifiers that start their helper without a shell; `NotifySend` uses one. */
export type ToastNotifier = "NotificationCenter" | "WindowsToaster";

export interface Toast {
  title: string;
  body: string;
  /** A later toast of the same group replaces this one. */
  group: string;
}

/**
 * Runs in a child process, so that a hanging helper or an uncaught error cannot end this one. Anything but an `Error` is
 * what the helper logged; a `SyntaxError` is its unreadable answer.
 */
const childScript = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const { modulePath, notifier, options, notification } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  new (require(modulePath)[notifier])(options).notify(notification, (error) => {
    if (!(error instanceof Error) || error instanceof SyntaxError) return;
    process.exitCode = 1;
    process.stderr.write(error.message);
  });
});
`;

/**
 * Uses the terminal-notifier or SnoreToast that node-notifier (https://github.com/mikaelbr/node-notifier) bundles. Exit code
 * 0: the helper accepted it. `workDir` receives the files that helpers leave behind.
 */
export function showToast(
  notifier: ToastNotifier,
  toast: Toast,
  limits: { env: Environment; timeoutMs: number; signal: AbortSignal; workDir: string; helperPath?: string },
): Promise<ProcessResult> {
  if (limits.signal.aborted) return Promise.resolve({ status: "timedOut", stdout: "", stderr: "" });
  const title = withoutFlag(toast.title);
  const request = {
    modulePath: createRequire(import.meta.url).resolve("node-notifier"),
    notifier,
    options: { withFallback: false, customPath: limits.helperPath },
    notification: {
      title,
      // Both helpers refuse an empty message.
      message: toast.body.trim() === "" ? title : withoutFlag(toast.body),
      // terminal-notifier replaces by group, SnoreToast by id; each drops the other's.
      ...(notifier === "NotificationCenter" ? { group: toast.group } : { id: toast.group, silent: true }),
      // Otherwise terminal-notifier removes the notification after that many seconds.
      timeout: false,
    },
  };
  return runProcess({
    argv: [process.execPath, "-e", childScript],
    stdin: JSON.stringify(request),
    env: limits.env,
    cwd: limits.workDir,
    timeoutMs: limits.timeoutMs,
    signal: limits.signal,
  });
}

/** Adds a zero-width space before text that a helper would read as a flag or a property list. */
function withoutFlag(text: string): string {
  return /^\s*[-/[({<]/.test(text) ? `\u200B${text}` : text;
}
