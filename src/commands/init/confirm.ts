import { type ExitCode, exitCodes, UserError } from "../../model/errors.ts";
import { isBehindSudo } from "../../system/process/identity.ts";
import type { Ask } from "../console/ask.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Undefined when the person wants it written, said with --yes or now; else the exit code to end with, and why is said. */
export async function endWithoutConsent(
  io: Pick<CommandIo, "stderr">,
  isYes: boolean,
  ask: Pick<Ask, "confirm"> | undefined,
  question: string,
): Promise<ExitCode | undefined> {
  if (isYes) return undefined;
  if (ask === undefined) {
    io.stderr("hookbell: nothing was written; add --yes to write this\n");
    return exitCodes.usage;
  }
  return (await ask.confirm(question, true)) === true ? undefined : endUnwritten(io);
}

/** What is said when the person walks away from a question. */
export function endUnwritten(io: Pick<CommandIo, "stderr">): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}

/** Throws where what is written would belong to the superuser, so that the person's own agent could not run it. */
export function refuseSudo({ env, places: { home } }: Pick<CommandIo, "env" | "places">): void {
  if (!isBehindSudo(home, env)) return;
  throw new UserError("install.sudo", `sudo runs this as the superuser, and ${home} is yours`, {
    hint: "run it without sudo: the agent runs as you, and could not use what is written here",
    exitCode: exitCodes.cannotWrite,
  });
}
