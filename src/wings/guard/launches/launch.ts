// What makes an agent start a program: a hook, a server, a setting with a command, or a file that it loads.
import { sha256 } from "../../../system/crypto.ts";
import type { PlaceContent, Scope } from "./places.ts";

/** As a file has it. */
export interface LaunchInFile {
  kind: "hook" | "server" | "command" | "code";
  /** Its event, the server's name, the setting, or the file's name. */
  name: string;
  matcher?: string;
  /** Whole, as it will run. It may have credentials in it: `shownCommand` has none. */
  command: string;
  /** What else decides what runs, such as environment variables. */
  around?: string;
  /** The first line is 1. */
  line: number;
  /** The place in the file, from its top: members by their names, items by their numbers. */
  at: readonly (string | number)[];
  /** The setting itself says that it does not run. */
  isOff?: true;
}

export interface Launch extends LaunchInFile {
  /** The first hexadecimal digits of a digest of all that decides what runs, and where. The same file in another work tree has the same. */
  id: string;
  /** The same for what stands in one place, whatever it runs. */
  slot: string;
  /** The same as long as the command is, whatever its scripts do. */
  core: string;
  agent: string;
  scope: Scope;
  path: string;
  /** What starts programs in that file. */
  content: PlaceContent;
  /** Why it may not run: see `Place`. */
  doubt?: string;
  /** The folder of the session to which the file belongs; undefined for files of the user and of the machine. */
  project?: string;
  /** Files in the home folder or the project that the command names, with their digests. */
  scripts: readonly Script[];
}

export interface Script {
  path: string;
  digest: string;
}

const idLength = 10;

interface Whereabouts {
  agent: string;
  /** Where the file is, in words that are the same in each work tree of a repository. */
  place: string;
}

export function idOf(
  { kind, name, matcher = "", command, around = "", isOff }: LaunchInFile,
  { agent, place }: Whereabouts,
  scripts: readonly Script[],
): { id: string; slot: string; core: string } {
  const slot = sha256(JSON.stringify([agent, place, kind, name])).slice(0, idLength);
  const core = sha256(JSON.stringify([slot, matcher, command, around, isOff === true])).slice(0, idLength);
  const whole = [core, ...scripts.map(({ digest }) => digest)];
  return { id: sha256(JSON.stringify(whole)).slice(0, idLength), slot, core };
}
