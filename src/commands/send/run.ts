// `hookbell run -- COMMAND`: runs a command and notifies the user when it ends.
import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describeWriteError, usageError } from "../../model/errors.ts";
import { cutWords, printableLine, shellWord } from "../../model/text.ts";
import { layoutOf, withLayout } from "../../outbox/layout.ts";
import { writeIncoming } from "../../outbox/write-incoming.ts";
import { randomId } from "../../system/crypto.ts";
import { isDisabled } from "../../system/environment.ts";
import { callerPids } from "../../system/process/identity.ts";
import { endBySignal, runAttached } from "../../system/process/run-attached.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { deliveryCommands } from "../help/deliveries.ts";
import { wake } from "../../daemon/open-dispatcher.ts";

/** Exit codes of shells for programs that they cannot start. */
const notFound = 127;
const notExecutable = 126;

const maxTailBytes = 16 * 1024;
const maxTailLines = 8;
/** Characters. */
const maxTitleLength = 50;

/** Returns the command's exit code. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const end = args.indexOf("--");
  const { values } = parseArguments(end === -1 ? args : args.slice(0, end), deliveryCommands.run.flags);
  const [program, ...rest] = end === -1 ? [] : args.slice(end + 1);
  if (program === undefined) {
    throw usageError("run", "there is no command to run", "hookbell run -- COMMAND, such as: hookbell run -- npm test");
  }
  const startedAt = io.clock.now();
  const result = await runAttached([program, ...rest], {
    env: io.env,
    maxTailBytes: values.terminal === true ? undefined : maxTailBytes,
  });
  if (result.status === "notStarted") {
    const isMissing = result.code === "ENOENT";
    const why = isMissing ? "command not found" : printableLine(result.why);
    io.stderr(`hookbell: cannot run ${printableLine(program)}: ${why}\n`);
    return isMissing ? notFound : notExecutable;
  }
  const { code, signal, tail } = result;
  // A user who presses Ctrl-C knows that it ended.
  if (signal !== "SIGINT" && !isDisabled(io.env)) {
    const title = cutWords(printableLine(values.title ?? "command"), maxTitleLength);
    const command = printableLine([basename(program), ...rest].map(shellWord).join(" "));
    const reason = signal ?? `exit code ${code}`;
    const details = [command, ...(code === 0 ? [] : [reason])];
    tell(io, {
      hook_event_name: code === 0 ? "Stop" : "StopFailure",
      session_id: `run-${randomId()}`,
      cwd: io.cwd,
      title: `${title} ${code === 0 ? "is done" : "failed"}`,
      message: [...details, ...lastLines(tail)].join("\n"),
      duration_ms: io.clock.now() - startedAt,
      ...(code === 0 ? {} : { reason }),
    });
  }
  if (signal !== undefined) endBySignal(signal);
  return code;
}

/** The last state of lines that a progress bar overwrites. */
function lastLines(tail: string): string[] {
  const lines = stripVTControlCharacters(tail)
    .split("\n")
    .map((line) => line.trimEnd().split("\r").at(-1) ?? "");
  return lines.filter((line) => line.trim() !== "").slice(-maxTailLines);
}

/** Takes the payload in as a hook does. Errors here must not change the command's result. */
function tell(io: CommandIo, payload: object): void {
  const layout = layoutOf(io.places.stateDir);
  try {
    const hints = { agentId: "hookbell", callerPids: callerPids(), nowMs: io.clock.now() };
    withLayout(layout, () => writeIncoming(layout, JSON.stringify(payload), hints));
    wake(io);
  } catch (error) {
    io.stderr(`hookbell: cannot notify you: ${describeWriteError(error)}\n`);
  }
}
