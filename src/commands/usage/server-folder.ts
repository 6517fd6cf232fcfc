// The data folder of your own server, which `serve`, `keys` and `computers add` share.
import { join, resolve } from "node:path";
import type { CommandIo } from "../console/command-io.ts";

export function dataDirOf(flag: string | undefined, { places, cwd }: Pick<CommandIo, "places" | "cwd">): string {
  return flag === undefined ? join(places.stateDir, "server") : resolve(cwd, flag);
}
