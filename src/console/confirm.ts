// Asks before anything is written, and says so if nothing was.
import { type ExitCode, exitCodes, UserError } from "../model/errors.ts";
import { foreignOwner } from "../system/process/identity.ts";
import { type Ask, askAtTerminal } from "./ask.ts";
import type { CommandIo } from "./command-io.ts";

/** Undefined if the user agrees, in advance with --yes or now; otherwise the exit code. With --json it never asks. */
export async function endWithoutConsent(
  io: Pick<CommandIo, "stdout" | "stderr" | "isTerminal">,
  flags: Partial<Record<"yes" | "dry-run" | "json", boolean | undefined>>,
  question: string,
  ask: Pick<Ask, "confirm"> = askAtTerminal,
): Promise<ExitCode | undefined> {
  if (flags["dry-run"] === true) {
    io.stdout("dry run: nothing was written\n");
    return exitCodes.done;
  }
  if (flags.yes === true) return undefined;
  if (io.isTerminal && flags.json !== true)
    return (await ask.confirm(question, true)) === true ? undefined : endUnwritten(io);
  io.stderr("hookbell: nothing was written; add --yes to write this\n");
  return exitCodes.usage;
}

/** Ends a command whose question was cancelled. */
export function endUnwritten(io: Pick<CommandIo, "stderr">): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}

/** Throws if the superuser would write into another user's home: that user's agents could not use the files. */
export function refuseForeignHome({ env, places: { home } }: Pick<CommandIo, "env" | "places">): void {
  const owner = foreignOwner(home);
  if (owner === undefined) return;
  const isSudo = env.SUDO_UID === String(owner);
  const message = isSudo
    ? `sudo runs this as the superuser, but ${home} belongs to you`
    : `you are the superuser, but ${home} belongs to the user ${owner}`;
  const fix = isSudo ? "run it without sudo" : "run it as that user, or with HOME set to your own home";
  const hint = `${fix}: the agents of ${home} could not use files of the superuser`;
  throw new UserError("install.foreignHome", message, { hint, exitCode: exitCodes.cannotWrite });
}
