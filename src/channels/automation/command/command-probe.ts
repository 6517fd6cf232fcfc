import { isAbsolute } from "node:path";
import { findProgram, isExecutable } from "../../../system/process/find-program.ts";
import { statIfThere } from "../../../system/files/files.ts";
import { expandHome } from "../../../system/paths.ts";
import type { ChannelTools, ProbeResult } from "../../channel-type.ts";

/** Whether the program is there and may be run; it is not started. */
export function probeCommand(
  program: string,
  { env, home, platform }: Pick<ChannelTools, "env" | "home" | "platform">,
): ProbeResult {
  const path = expandHome(program, home);
  if (!isAbsolute(path)) {
    const found = findProgram(path, env, platform);
    if (found !== undefined) return { status: "ok", detail: `runs ${found}` };
    const mend =
      'install it, or write its whole path into "argv"; agents started from a desktop may have a shorter PATH';
    return { status: "broken", detail: `there is no program ${program} on PATH`, mend };
  }
  if (platform === "win32" ? isThere(path) : isExecutable(path)) return { status: "ok", detail: `runs ${program}` };
  return isThere(path)
    ? { status: "broken", detail: `${program} may not be run`, mend: `make it executable: chmod +x '${path}'` }
    : { status: "broken", detail: `there is no program ${program}`, mend: 'install it or correct "argv"' };
}

function isThere(path: string): boolean {
  try {
    return statIfThere(path) !== undefined;
  } catch {
    return false;
  }
}
