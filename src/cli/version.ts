// `hookbell version`, in addition to --version.
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { version } from "../system/version.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";

export function printVersion(args: string[], io: CommandIo): Promise<ExitCode> {
  parseArguments(args, {}, 0);
  io.stdout(`${version}\n`);
  return Promise.resolve(exitCodes.done);
}
