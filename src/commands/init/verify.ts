// `hookbell init --verify AGENT`: runs each installed hook as the agent would.
import { listTargets } from "../../install/target/agent-target.ts";
import { findInstallation } from "../../install/installation.ts";
import type { Installation } from "../../install/command/hook-command.ts";
import { recordStore } from "../../install/record/store.ts";
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { namedAgents, splitNames } from "./choose-agents.ts";
import type { CommandIo } from "../console/command-io.ts";
import { jsonLine } from "../console/text.ts";
import { verifyAgents, type VerifyIo } from "./verify-agents.ts";
import { isSound, showVerified, verifiedAsJson } from "./verify-report.ts";

export interface VerifyOptions {
  /** The names in `--verify a,b --verify c`. */
  names: readonly string[];
  isDelivering: boolean;
  isJson: boolean;
}

/** Exit code 1 if a hook is broken. */
export async function verify(
  { names, isDelivering, isJson }: VerifyOptions,
  io: VerifyIo & Pick<CommandIo, "stdout" | "isColor">,
  installation: Installation = findInstallation(io.env, io.places.home, io.platform),
): Promise<ExitCode> {
  const targets = namedAgents(splitNames(names), listTargets(io.env, io.places.home, io.platform), "init --verify");
  const verified = await verifyAgents(io, targets, { installation, isDelivering }, recordStore(io.places.stateDir));
  if (isJson) io.stdout(jsonLine(verifiedAsJson(verified)));
  else for (const agent of verified) io.stdout(showVerified(agent, io));
  return verified.every(isSound) ? exitCodes.done : exitCodes.failed;
}

/** Undefined if the flags ask for something else. */
export function verifyOptions(
  flags: { verify?: string[] | undefined; deliver?: boolean | undefined; json?: boolean | undefined } & Writing,
): VerifyOptions | undefined {
  const { verify: names, deliver, json } = flags;
  if (names === undefined && deliver !== true) return undefined;
  if (names === undefined) {
    throw usageError("verify", "--deliver needs --verify AGENT", "it sends the samples to your channels");
  }
  const other = writing.find((flag) => flags[flag] !== undefined);
  if (other !== undefined) {
    const hint = "run hookbell init first, then hookbell init --verify AGENT";
    throw usageError("verify", `--verify tests installed hooks, so it cannot be combined with --${other}`, hint);
  }
  return { names, isDelivering: deliver === true, isJson: json === true };
}

const writing = ["agent", "yes", "dry-run", "rules", "all-events", "usage"] as const;
type Writing = Partial<Record<(typeof writing)[number], unknown>>;
