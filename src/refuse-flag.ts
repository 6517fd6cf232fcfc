import { exitCodes, PersonError } from "./model/errors.ts";
import { nearest } from "./rules/nearest.ts";
import { hookFlags } from "./intake/hook-arguments.ts";
import { commands } from "./commands/index.ts";

const ownFlags = ["--version", "-v", "--help", "-h"];

/**
 * `hookbell --verison`: throws a usage error unless the hook may have been meant, whose flags agents write without the
 * word. What is no flag of its own either is told in its own words where nobody sits at a keyboard.
 */
export function refuseFlag(first: string, isStdinTerminal: boolean): void {
  const [flag = ""] = first.split("=", 1);
  if (hookFlags.includes(flag)) return;
  const others = [...ownFlags, ...commands.map(({ name }) => name)];
  const meant = nearest(flag, [...hookFlags, ...others]);
  const isOther = meant !== undefined && others.includes(meant);
  if (!isOther && !isStdinTerminal) return;
  throw new PersonError("usage.flag", `there is no flag ${JSON.stringify(flag)}`, {
    hint: meant === undefined ? "hookbell --help shows what there is" : `did you mean ${JSON.stringify(meant)}?`,
    // It may be an agent's hook all the same, of which more than 1 would be read as "block".
    exitCode: isStdinTerminal ? exitCodes.usage : exitCodes.failed,
  });
}
