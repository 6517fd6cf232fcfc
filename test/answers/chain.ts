// Processes as /proc shows them.
import type { ProcessInChain } from "../../src/system/process/identity.ts";

let count = 4_194_400;

export function inChain(
  program: string,
  {
    terminal = "/dev/pts/3",
    leadsSession = false,
    leadsGroup = leadsSession,
  }: { terminal?: string; leadsSession?: boolean; leadsGroup?: boolean } = {},
): ProcessInChain {
  return {
    pid: (count += 1),
    parentPid: 1,
    start: String(count),
    ageMs: 1000,
    program,
    device: terminal === "" ? undefined : terminal,
    hasTerminal: terminal !== "",
    leadsSession,
    leadsGroup,
  };
}
