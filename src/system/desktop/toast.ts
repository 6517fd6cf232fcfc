// Desktop notifications on macOS and Windows through node-notifier.
import { createRequire } from "node:module";
import type { Environment } from "../environment.ts";
import { runProcess, type ProcessResult } from "../process/run.ts";

/** `NotifySend` starts its helper through a shell. */
export type ToastNotifier = "NotificationCenter" | "WindowsToaster";

export interface Toast {
  title: string;
  body: string;
  /** A later toast of the same group replaces this one. */
  group: string;
  /** On a click, macOS opens the link or brings the application to the front. */
  click?: { open: string } | { activate: string } | undefined;
}

/**
 * In a child process, since a helper can hang. Anything but an `Error` is what the helper logged. node-notifier passes on none of
 * SnoreToast's failures, so the script looks at the helper itself: its codes from 0 to 5 say what the user did with the toast, which may
 * take minutes (https://github.com/KDE/snoretoast).
 */
const childScript = `
const childProcess = require("node:child_process");
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const { modulePath, notifier, options, notification, patienceMs } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const fail = (why) => {
    process.exitCode = 1;
    process.stderr.write(why);
  };
  const { execFile } = childProcess;
  if (notifier === "WindowsToaster") childProcess.execFile = (...call) => {
    const helper = execFile(...call);
    helper.on("spawn", () => setTimeout(() => process.exit(), patienceMs).unref());
    helper.on("error", (error) => fail(error.message));
    helper.on("exit", (code, signal) => {
      if (code === null || code > 5) fail("the helper ended with " + (signal ?? "exit code " + code) + "\\n");
    });
    return helper;
  };
  new (require(modulePath)[notifier])(options).notify(notification, (error) => {
    if (error instanceof Error && !(error instanceof SyntaxError)) fail(error.message);
  });
});
`;

/** A helper that still runs after this time shows the toast until the user has seen it. */
const defaultPatienceMs = 8_000;

/** With node-notifier's helper, which leaves files behind in `workDir`. */
export function showToast(
  notifier: ToastNotifier,
  toast: Toast,
  limits: {
    env: Environment;
    timeoutMs: number;
    signal: AbortSignal;
    workDir: string;
    helperPath?: string | undefined;
    patienceMs?: number;
  },
): Promise<ProcessResult> {
  if (limits.signal.aborted) return Promise.resolve({ status: "timedOut", stdout: "", stderr: "" });
  return runProcess({
    argv: [process.execPath, "-e", childScript],
    stdin: JSON.stringify({
      ...toastRequest(notifier, toast, limits.helperPath),
      patienceMs: limits.patienceMs ?? defaultPatienceMs,
    }),
    env: limits.env,
    cwd: limits.workDir,
    timeoutMs: limits.timeoutMs,
    signal: limits.signal,
  });
}

/** What the child process reads. */
export function toastRequest(notifier: ToastNotifier, toast: Toast, helperPath: string | undefined): object {
  const title = withoutFlag(toast.title);
  return {
    modulePath: createRequire(import.meta.url).resolve("node-notifier"),
    notifier,
    options: { withFallback: false, customPath: helperPath },
    notification: {
      title,
      // Both helpers refuse an empty message.
      message: toast.body.trim() === "" ? title : withoutFlag(toast.body),
      // terminal-notifier replaces by group, SnoreToast by id.
      ...(notifier === "NotificationCenter"
        ? { group: toast.group, ...toast.click }
        : { id: toast.group, silent: true }),
      timeout: false,
    },
  };
}

/** A helper would read such a text as a flag or a property list; terminal-notifier takes a first backslash away. */
function withoutFlag(text: string): string {
  return /^\s*[-/[({<\\]/.test(text) ? `\u200B${text}` : text;
}
