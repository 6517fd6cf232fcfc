// Asks before anything is written, and says so when nothing was.
import { type ExitCode, exitCodes, UserError } from "../../model/errors.ts";
import { isBehindSudo } from "../../system/process/identity.ts";
import type { Ask } from "./ask.ts";
import type { CommandIo } from "./command-io.ts";

/** Undefined when the person agrees, with --yes or now; else the exit code to end with. */
export async function endWithoutConsent(
  io: Pick<CommandIo, "stderr">,
  isYes: boolean,
  ask: Pick<Ask, "confirm"> | undefined,
  question: string,
): Promise<ExitCode | undefined> {
  if (isYes) return undefined;
  if (ask !== undefined) return (await ask.confirm(question, true)) === true ? undefined : endUnwritten(io);
  io.stderr("hookbell: nothing was written; add --yes to write this\n");
  return exitCodes.usage;
}

/** The end of a command whose question was cancelled. */
export function endUnwritten(io: Pick<CommandIo, "stderr">): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}

/** Throws under sudo: files of the superuser's would keep the person's own agent from running. */
export function refuseSudo({ env, places: { home } }: Pick<CommandIo, "env" | "places">): void {
  if (!isBehindSudo(home, env)) return;
  throw new UserError("install.sudo", `sudo runs this as the superuser, but ${home} belongs to you`, {
    hint: "run it without sudo: the agent runs as you and could not use files of the superuser",
    exitCode: exitCodes.cannotWrite,
  });
}
