import { listTargets } from "../install/agent-target.ts";
import { findInstallation } from "../install/find-installation.ts";
import type { Installation } from "../install/hook-command.ts";
import { recordStore } from "../install/record-store.ts";
import { exitCodes, PersonError, type ExitCode } from "../model/errors.ts";
import { namedAgents, splitNames } from "./choose-agents.ts";
import type { CommandIo } from "./command-io.ts";
import { jsonLine } from "./json-line.ts";
import { verifyAgents, type VerifyIo } from "./verify-agents.ts";
import { isSound, showVerified, verifiedAsJson } from "./verify-report.ts";

export interface VerifyOptions {
  /** As `--verify a,b --verify c` has them. */
  names: readonly string[];
  isDelivering: boolean;
  isJson: boolean;
}

/** `hookbell init --verify AGENT`: tries each wired hook as the agent would call it. 1 when one of them is broken. */
export async function verify(
  { names, isDelivering, isJson }: VerifyOptions,
  io: VerifyIo & Pick<CommandIo, "stdout" | "isColor">,
  installation: Installation = findInstallation(io.env, io.places.home, io.platform),
): Promise<ExitCode> {
  const targets = namedAgents(splitNames(names), listTargets(io.env, io.places.home, io.platform));
  const verified = await verifyAgents(io, targets, { installation, isDelivering }, recordStore(io.places.stateDir));
  if (isJson) io.stdout(jsonLine(verifiedAsJson(verified)));
  else for (const agent of verified) io.stdout(showVerified(agent, io));
  return verified.every(isSound) ? exitCodes.done : exitCodes.failed;
}

/** Verifying writes nothing, so it does not go with what says how to write. */
export function notWith(flag: string): PersonError {
  return new PersonError("usage.verify", `--verify tries what is wired already, so it does not go with --${flag}`, {
    hint: "hookbell init first, then hookbell init --verify AGENT",
    exitCode: exitCodes.usage,
  });
}
