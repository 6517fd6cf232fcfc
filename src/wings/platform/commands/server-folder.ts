// The data folder of your own server, which `serve`, `keys` and `computers add` share.
import { join, resolve } from "node:path";
import { UserError } from "../../../model/errors.ts";
import { listNames } from "../../../system/files/files.ts";
import { findDistrust } from "../../../system/files/inspect-path.ts";
import type { CommandIo } from "../../../console/command-io.ts";

/** Throws if another user could change what is in it, such as the commands of computers.json, which the server runs. */
export function dataDirOf(flag: string | undefined, { places, cwd }: Pick<CommandIo, "places" | "cwd">): string {
  const folder = flag === undefined ? join(places.stateDir, "server") : resolve(cwd, flag);
  const paths = [folder, ...listNames(folder).map((name) => join(folder, name))];
  const distrust = paths.map((path) => findDistrust(path)).find((found) => found !== undefined);
  if (distrust === undefined) return folder;
  throw new UserError("server.folder", `${distrust.path} ${distrust.why}`, { hint: `to use it: ${distrust.fix}` });
}
