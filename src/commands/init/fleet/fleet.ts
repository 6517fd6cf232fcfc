// `hookbell fleet`: shows the fleet of this machine, or runs a subcommand.
import { usageError, type ExitCode } from "../../../model/errors.ts";
import type { CommandIo } from "../../console/command-io.ts";

export async function fleet(args: string[], io: CommandIo): Promise<ExitCode> {
  const [first, ...rest] = args;
  switch (first) {
    case "init":
      return await (await import("./init.ts")).initFleet(rest, io);
    case "add":
      return await (await import("./add.ts")).addMember(rest, io);
    case "join":
      return await (await import("./join.ts")).joinFleet(rest, io);
    case "rotate":
      return await (await import("./rotate.ts")).rotateKeys(rest, io);
    case "remove":
      return await (await import("./remove.ts")).removeMember(rest, io);
    default:
      if (first === undefined || first.startsWith("-")) return await (await import("./show.ts")).showFleet(args, io);
      throw usageError("fleet", `there is no command "fleet ${first}"`, "one of init, add, join, rotate, remove");
  }
}
