// Commands: a program of your own, with JSON on its standard input and HOOKBELL_* variables.
import { makeRunnableAdvice } from "../../../model/places/user-shell.ts";
import { docsUrl } from "../../../model/errors.ts";
import * as z from "zod";
import { isAbsolute } from "node:path";
import { formatDuration } from "../../../model/figures/duration.ts";
import { delivered, failed, type Outcome } from "../../../model/outcome.ts";
import { withoutSecrets } from "../../../model/privacy/redact.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import { printableLine, cut, measures, printable, withoutControls } from "../../../model/text.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { expandHome } from "../../../system/paths.ts";
import { findProgram, isExecutable } from "../../../system/process/find-program.ts";
import { findOnWindows } from "../../../system/process/start/program-start.ts";
import { type ProcessResult, runProcess } from "../../../system/process/run.ts";
import {
  type ChannelTools,
  defineChannel,
  lifetimeMs,
  type ProbeResult,
  type SendRequest,
} from "../../channel-type.ts";
import { durationSetting, isWholePath, programSetting, secretSetting } from "../../settings.ts";
import { maxPayloadBytes, maxText, toProgramMessage } from "../program-message.ts";

/** hookbell's own limit: far below what Linux (128 KiB) and Windows (32 Ki characters) allow, so that the program always starts. */
export const maxVariableBytes = 2048;

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 5 * 60_000;
/** The program's own time limit ends before the attempt's, and its message says more. */
const timeoutMarginMs = 5_000;
/** EX_TEMPFAIL of sysexits.h: the program asks for another try. */
const tryAgainExitCode = 75;
const maxDetail = 200;

const variableName = /^(?!HOOKBELL_)[A-Za-z_][A-Za-z0-9_]*$/i;

const settings = z.strictObject({
  argv: z.tuple([programSetting()], z.string()).describe("The program and its arguments; no shell reads them"),
  timeout: durationSetting("How long it may run; default: 30s")
    .refine((ms) => ms > 0 && ms <= maxTimeoutMs, { error: `expected at most ${formatDuration(maxTimeoutMs)}` })
    .optional(),
  cwd: z
    .string()
    .refine((path) => path === "project" || path === "home" || isWholePath(path), {
      error: 'expected "home", "project", an absolute path or ~/...',
    })
    .optional()
    .describe('The folder it runs in: "home" (default), "project", or a path'),
  env: z
    .record(
      z
        .string()
        .regex(variableName, { error: "expected a variable's name; names that start with HOOKBELL_ are reserved" }),
      secretSetting("the variable's value"),
    )
    .optional()
    .describe("More environment variables, such as tokens"),
});

/**
 * Exit code 0 is a delivery, 75 asks for another try, any other is final. After a timeout or a signal, the program does
 * not run again: it may have done its work already.
 */
export const command = defineChannel<z.output<typeof settings>>({
  docs: docsUrl("reference/CHANNELS.md"),
  settings,
  limits: [
    { what: "one HOOKBELL_ variable", most: maxVariableBytes, unit: "bytes", source: "ours" },
    { what: "a text on standard input", most: maxText, unit: "codePoints", source: "ours" },
    { what: "the agent's payload on standard input", most: maxPayloadBytes, unit: "bytes", source: "ours" },
    { what: "time", most: maxTimeoutMs, unit: "milliseconds", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.day,
  timeoutMs: maxTimeoutMs + timeoutMarginMs,
  isRepeatHarmless: false,
  content: "full",
  passesPayload: true,
  isUnfitForNotices: true,
  isForPrograms: true,
  async send(request, tools) {
    const { settings } = request;
    const timeoutMs = settings.timeout ?? defaultTimeoutMs;
    const [program = "", ...args] = settings.argv;
    const wanted = settings.cwd === "project" ? request.event.cwd : expandHome(settings.cwd ?? "home", tools.home);
    // A path that ends in `/.` exists only if it is a folder that may be entered; Windows leaves the `/.` away.
    const isThere = isAbsolute(wanted) && tryToStat(`${wanted}/.`)?.isFolder === true;
    const result = await runProcess({
      argv: [expandHome(program, tools.home), ...args],
      stdin: `${JSON.stringify({ deliveryId: request.deliveryId, attempt: request.attempt, ...toProgramMessage(request, true) })}\n`,
      env: {
        ...tools.env,
        ...revealAll(settings.env ?? {}),
        ...commandVariables(request),
        // A shell of Windows would otherwise look for what the program starts in the project's folder before PATH.
        ...(tools.platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {}),
      },
      cwd: isThere ? wanted : tools.home,
      timeoutMs,
      signal: tools.signal,
    });
    return withoutSecrets(readResult(result, program, timeoutMs), settings);
  },
  probe: ({ argv: [program = ""] }, tools) => Promise.resolve(probeCommand(program, tools)),
});

function readResult(result: ProcessResult, program: string, timeoutMs: number): Outcome {
  switch (result.status) {
    case "exited": {
      if (result.code === 0) {
        const detail = lines(result.stdout)[0];
        return detail === undefined ? delivered() : delivered({ detail });
      }
      const said = lines(result.stderr).at(-1);
      const detail = `${program} ended with exit code ${result.code}${said === undefined ? "" : `: ${said}`}`;
      return failed(result.code === tryAgainExitCode ? "serverError" : "rejected", detail);
    }
    case "killed":
      return failed("unknown", `${program} was killed by ${result.signal}`);
    case "timedOut":
      return failed(
        "unknown",
        `${program} was stopped after ${formatDuration(timeoutMs)}; set "timeout" if it needs longer`,
      );
    case "notStarted":
      switch (result.code) {
        case "ENOENT":
          return failed("unavailable", `the program ${program} does not exist; install it or correct "argv"`);
        case "EACCES":
        case "EPERM":
          return failed("unavailable", `${program} is not executable; ${makeRunnableAdvice(program)}`);
        case "ENOEXEC":
          return failed("unavailable", `${program} is not a program; a script needs a #! line`);
        default:
          return failed(
            "rejected",
            `${program} could not be started (${result.code}): ${printableLine(result.detail)}`,
          );
      }
  }
}

/** The lines that are not empty. */
function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => printableLine(line.slice(0, 16 * maxDetail)))
    .filter((line) => line !== "");
}

function revealAll(variables: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.reveal()]));
}

function probeCommand(
  program: string,
  { env, home, platform }: Pick<ChannelTools, "env" | "home" | "platform">,
): ProbeResult {
  const path = expandHome(program, home);
  if (!isAbsolute(path)) {
    const found = findProgram(path, env, platform);
    if (found !== undefined) return { status: "ok", detail: `runs ${found}` };
    const fix =
      'install it, or write its absolute path into "argv"; agents started from a desktop may have a shorter PATH';
    return { status: "broken", detail: `the program ${program} is not on PATH`, fix };
  }
  const started = platform === "win32" ? findOnWindows(path, { env }) : path;
  if (started !== undefined && isExecutable(started)) return { status: "ok", detail: `runs ${program}` };
  return tryToStat(path) !== undefined
    ? { status: "broken", detail: `${program} is not executable`, fix: makeRunnableAdvice(path, platform) }
    : { status: "broken", detail: `the program ${program} does not exist`, fix: 'install it or correct "argv"' };
}

/** Two texts may have several lines. */
const manyLines: ReadonlySet<string> = new Set(["HOOKBELL_BODY", "HOOKBELL_MESSAGE"]);
/** A program hands these on to people; names and paths are for the program itself. */
const forPeople: ReadonlySet<string> = new Set([...manyLines, "HOOKBELL_TITLE"]);

/** Plain texts without control characters. */
export function commandVariables(
  request: Pick<SendRequest<unknown>, "event" | "message" | "deliveryId" | "attempt">,
): Record<string, string> {
  const { event, message, deliveryId, attempt } = request;
  const texts: Record<string, string | undefined> = {
    HOOKBELL_EVENT: event.name,
    HOOKBELL_EVENT_ID: event.id,
    HOOKBELL_AGENT: event.agent,
    HOOKBELL_SESSION: event.session,
    HOOKBELL_PROJECT: event.project,
    HOOKBELL_CWD: event.cwd,
    HOOKBELL_HOST: event.host,
    HOOKBELL_AT: event.at,
    HOOKBELL_LEVEL: message.level,
    HOOKBELL_TITLE: message.title,
    HOOKBELL_BODY: message.body,
    HOOKBELL_MESSAGE: event.message,
    HOOKBELL_REASON: event.reason,
    HOOKBELL_NOTIFICATION_TYPE: event.notificationType,
    HOOKBELL_SUBAGENT: event.subagent,
    HOOKBELL_DELIVERY_ID: deliveryId,
    HOOKBELL_ATTEMPT: String(attempt),
  };
  // Every variable is set: a script under `set -u` must not fail.
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const shown = forPeople.has(name) ? printable(text ?? "") : withoutControls(text ?? "");
      const value = manyLines.has(name) ? shown : shown.replace(/[\n\u2028\u2029]+/g, " ");
      return [name, cut(value, maxVariableBytes, measures.bytes)];
    }),
  );
}
