import { createRequire } from "node:module";
import type { Environment } from "../environment.ts";
import { runProcess, type ProcessResult } from "../process/run.ts";

/** node-notifier's notifiers that start their helper without a shell. Its `NotifySend` does not, and is not used. */
export type ToastNotifier = "NotificationCenter" | "WindowsToaster";

export interface Toast {
  title: string;
  body: string;
  /** A later toast with the same name takes the place of this one. */
  group: string;
}

/**
 * A process of its own, so that a helper that never ends, an uncaught `error` event or a synchronous throw is an exit
 * code and not our end. A text that is no `Error` is what the helper logged; a `SyntaxError` is its unreadable answer.
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
 * Shows a toast through node-notifier (https://github.com/mikaelbr/node-notifier), by its bundled terminal-notifier or
 * SnoreToast. Exit code 0: the helper took it. `workDir` is a folder of ours, for what they leave lying about;
 * `helperPath` is a helper of one's own.
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
      // Any other value makes terminal-notifier take the notification back after that many seconds.
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

/** A zero-width space before what a helper would take for a flag or for a property list. */
function withoutFlag(text: string): string {
  return /^\s*[-/[({<]/.test(text) ? `\u200B${text}` : text;
}
