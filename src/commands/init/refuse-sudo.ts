import { exitCodes, PersonError } from "../../model/errors.ts";
import { isBehindSudo } from "../../system/process/sudo.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Throws where what is written would belong to the superuser, so that the person's own agent could not run it. */
export function refuseSudo({ env, places: { home } }: Pick<CommandIo, "env" | "places">): void {
  if (!isBehindSudo(home, env)) return;
  throw new PersonError("install.sudo", `sudo runs this as the superuser, and ${home} is yours`, {
    hint: "run it without sudo: the agent runs as you, and could not use what is written here",
    exitCode: exitCodes.cannotWrite,
  });
}
