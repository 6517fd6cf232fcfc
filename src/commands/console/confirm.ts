// Asks before anything is written, and says so if nothing was.
import { type ExitCode, exitCodes, UserError } from "../../model/errors.ts";
import { isBehindSudo } from "../../system/process/identity.ts";
import type { Ask } from "./ask.ts";
import type { CommandIo } from "./command-io.ts";

/** Undefined if the user agrees, in advance with --yes or now; otherwise the exit code. */
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

/** Ends a command whose question was cancelled. */
export function endUnwritten(io: Pick<CommandIo, "stderr">): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}

/** Throws under sudo: files owned by root would break the user's own agent. */
export function refuseSudo({ env, places: { home } }: Pick<CommandIo, "env" | "places">): void {
  if (!isBehindSudo(home, env)) return;
  throw new UserError("install.sudo", `sudo runs this as the superuser, but ${home} belongs to you`, {
    hint: "run it without sudo: the agent runs as you and could not use files of the superuser",
    exitCode: exitCodes.cannotWrite,
  });
}
