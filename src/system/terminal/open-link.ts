// Opens a link with the program that the desktop has for it.
import type { Environment } from "../environment.ts";
import { findProgram } from "../process/find-program.ts";
import { startDetached } from "../process/start/start-detached.ts";

/** On macOS, see open(1). */
export const linkOpeners: Partial<Record<NodeJS.Platform, string>> = { darwin: "open" };

/** Returns false if there is no such program. */
export function openLink(
  link: string,
  env: Environment,
  platform: NodeJS.Platform,
  activationToken: string | undefined,
): boolean {
  const program = findProgram(linkOpeners[platform] ?? "xdg-open", env, platform);
  if (program === undefined) return false;
  const token = activationToken === undefined ? {} : { XDG_ACTIVATION_TOKEN: activationToken };
  return startDetached([program, link], "/", { ...env, ...token }) !== undefined;
}
