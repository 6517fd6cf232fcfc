// `doctor` on the presence file: whether Claude Code is told of it, and whether this machine can know who is there.
import { join } from "node:path";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { readIfThere } from "../../system/files/read.ts";
import { expandHome } from "../../system/paths.ts";
import { isForeign } from "../../system/presence/presence-file.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { type Finding, ok, warning } from "../../console/output/finding.ts";

const variable = "CLAUDE_CLIENT_PRESENCE_FILE";

export async function examinePresenceFile(io: CommandIo, dispatcher: Dispatcher): Promise<Finding[]> {
  const { presenceFile } = dispatcher.rules().rules;
  if (presenceFile === undefined) return [];
  const path = expandHome(presenceFile, io.places.home);
  const warn = (text: string, fix: string): Finding => warning(text, "hookbell doctor", fix);
  const settings = join(io.env.CLAUDE_CONFIG_DIR ?? join(io.places.home, ".claude"), "settings.json");
  const value = variableIn(settings) ?? io.env[variable];
  if (value !== path) {
    const text = `Claude Code does not read the presence file: ${variable} is ${value === undefined ? "not set" : "another path"}`;
    return [
      warn(text, `in ${settings}, add "env": { "${variable}": ${JSON.stringify(path)} }, then restart Claude Code:`),
    ];
  }
  if (isForeign(path))
    return [warn(`${path} is not hookbell's own, so it is left alone`, "remove it, or name another file:")];
  const { idleMs } = (await dispatcher.observePresence?.(undefined, io.env)) ?? {};
  if (idleMs === undefined) {
    const text = "hookbell cannot tell when this computer was last used, so it never makes the presence file";
    return [warn(text, "remove presenceFile from the rules file, or use a desktop that reports input:")];
  }
  return [ok(`Claude Code reads the presence file ${path}`)];
}

/** Claude Code's settings set variables for each session. */
function variableIn(settings: string): string | undefined {
  try {
    const parsed = JSON.parse(readIfThere(settings) ?? "{}") as { env?: Record<string, unknown> } | null;
    const value = parsed?.env?.[variable];
    return typeof value === "string" ? value : undefined;
  } catch {
    // Broken settings are another finding.
    return undefined;
  }
}
