// `hookbell keys`: manages the server's API keys.
import { exitCodes, type ExitCode, usageError } from "../../../model/errors.ts";
import { roles, type ApiRole } from "../contract/endpoints.ts";
import { addKey, readKeys, removeKey } from "../server/keys.ts";
import { randomKey } from "../../../system/crypto.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { roleWords, serverCommands } from "../help.ts";
import { dataDirOf } from "./server-folder.ts";

export async function keys(args: string[], io: CommandIo): Promise<ExitCode> {
  const { flags } = serverCommands.keys;
  const { values, positionals } = parseArguments(args, flags, 2);
  const [verb, name] = positionals;
  const dataDir = dataDirOf(values.data, io);
  if (verb === undefined) {
    listKeys(dataDir, io, values.json === true);
    return exitCodes.done;
  }
  if (verb !== "add" && verb !== "remove")
    throw usageError("keys", `unknown command hookbell keys ${verb}`, "see: hookbell keys --help");
  if (name === undefined)
    throw usageError("keys", `the name is missing: hookbell keys ${verb} NAME`, "see: hookbell keys --help");
  if (verb === "remove") {
    await removeKey(dataDir, name, io.clock);
    io.stdout(values.json === true ? jsonLine({ removed: name }) : `${name}'s key is no longer accepted\n`);
    return exitCodes.done;
  }
  const added = await addKey(dataDir, { name, role: readRole(values.role ?? flags.role.usual) }, io.clock, randomKey());
  io.stdout(
    values.json === true
      ? jsonLine(added)
      : `key for ${name} (${added.role}), shown only now:\n\n  ${added.key}\n\n` +
          `signing secret for the events of ${name}'s other machines:\n\n  ${added.signingSecret}\n\n${nextStep(added.role)}\n`,
  );
  return exitCodes.done;
}

function nextStep(role: ApiRole): string {
  return role === "Owner" || role === "Manager"
    ? "use it with: HOOKBELL_PLATFORM_URL=http://127.0.0.1:8765 HOOKBELL_PLATFORM_KEY=... hookbell usage tokens"
    : "this role reads no usage figures; for a key that does, use --role manager";
}

function listKeys(dataDir: string, io: CommandIo, isJson: boolean): void {
  const known = readKeys(dataDir);
  if (isJson) {
    io.stdout(jsonLine({ keys: known.map(({ name, role, createdAt }) => ({ name, role, createdAt })) }));
  } else if (known.length === 0) {
    io.stdout("there are no keys; add one with: hookbell keys add NAME --role owner\n");
  } else {
    const columns = [
      { header: "Name", cells: known.map(({ name }) => name) },
      { header: "Role", cells: known.map(({ role }) => role) },
      { header: "Added", cells: known.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10)) },
    ];
    io.stdout(renderTable(columns, io));
  }
}

function readRole(word: string): ApiRole {
  const role = roles[roleWords.findIndex((known) => known === word.toLowerCase())];
  if (role === undefined)
    throw usageError(
      "keys",
      `${JSON.stringify(word)} is not a role; expected ${roleWords.join(", ")}`,
      "see: hookbell keys --help",
    );
  return role;
}
