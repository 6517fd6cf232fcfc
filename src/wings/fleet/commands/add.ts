// `hookbell fleet add PERSON/HOST`: makes the credentials of another machine, to be copied there.
import { typedWord } from "../../../model/places/user-shell.ts";
import { issueCredentials, writeAuthority } from "../admin/authority.ts";
import { roles } from "../rights.ts";
import { exitCodes, type ExitCode, UserError, usageError } from "../../../model/errors.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { paint } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import { memberNamed, readMemberName, requireAuthority, whereOf, withMember } from "./authority.ts";
import { credentialsName, withServers } from "../credentials.ts";
import { writeFleetFile } from "./this-machine.ts";

const { flags } = fleetCommands["fleet add"];

export async function addMember(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, flags, 1);
  const { configDir } = io.places;
  const authority = requireAuthority(io);
  const name = readMemberName(positionals[0], "hookbell fleet add PERSON/HOST");
  const role = roles.find((each) => each === (values.role ?? flags.role.usual));
  if (role === undefined)
    throw usageError("fleet", `there is no role ${JSON.stringify(values.role)}`, `one of ${roles.join(", ")}`);
  if (memberNamed(authority, name) !== undefined) {
    throw new UserError("fleet.member", `${name.person}/${name.host} is a member already`, {
      hint: `for a new key: hookbell fleet rotate ${name.person}/${name.host}; to take it out: hookbell fleet remove ${name.person}/${name.host}`,
    });
  }
  const { key, credentials } = await issueCredentials(authority, { ...name, role });
  const path = writeFleetFile(configDir, credentialsName(name), withServers(credentials, whereOf(authority)));
  writeAuthority(configDir, withMember(authority, { ...name, role, key }));
  const command = role === "server" ? "serve --fleet" : "fleet join";
  io.stdout(
    `${paint(io, "green", "wrote")} ${path}\n` +
      `it is private: copy it to that machine over ssh, delete it here, and run there: hookbell ${command} ${typedWord(credentialsName(name))}\n` +
      `public key: ${key}\n`,
  );
  return exitCodes.done;
}
