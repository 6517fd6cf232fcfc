// Loads the rules for a command, and reports a broken rules file.
import { type CurrentRules, lastGoodPath } from "../../pipeline/current-rules.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { positionOf } from "../../jsonc/position.ts";
import { exitCodes, UserError, type Problem } from "../../model/errors.ts";
import type { Layout } from "../../outbox/layout.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { statIfThere } from "../../system/files/files.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { localTime } from "../../console/output/show-entry.ts";
import { isAbsent } from "../../system/files/inspect-path.ts";

/** Which rules apply while the rules file is broken. */
export const insteadOfBroken: Readonly<Record<CurrentRules["origin"], string>> = {
  file: "its valid parts apply",
  lastGood: "the last good rules apply",
  builtIn: "the built-in rules apply",
};

/** The same with the path of the last good rules, and since when they are unchanged. */
export function describeApplying(origin: CurrentRules["origin"], layout: Layout): string {
  const path = lastGoodPath(layout);
  const saved = origin === "lastGood" ? statIfThere(path) : undefined;
  const which = saved === undefined ? "" : ` (${path}, saved at ${localTime(saved.mtimeMs)})`;
  return `${insteadOfBroken[origin]}${which}`;
}

/** Throws for a broken rules file, with every problem. `named` is the file given with `--config`. */
export function goodRules(
  dispatcher: Pick<Dispatcher, "rules">,
  named: string | undefined,
  io: CommandIo,
): CurrentRules {
  requireRulesFile(named);
  const file = named ?? io.places.rulesFile;
  const current = dispatcher.rules();
  if (current.problems.length === 0) return current;
  const { problems, text } = current;
  const shown = showProblems(problems, { text, file, isColor: false, columns: io.columns });
  throw new UserError("rules.broken", `the rules file is broken\n${shown.trimEnd()}`, {
    exitCode: exitCodes.badRules,
    details: { file, problems: problems.map((problem) => problemAsJson(problem, text)) },
  });
}

/** The rules that apply. Warns about a broken rules file; throws if it was given with `--config`. */
export function usableRules(
  dispatcher: Pick<Dispatcher, "rules">,
  named: string | undefined,
  io: CommandIo,
): CurrentRules {
  if (named !== undefined) return goodRules(dispatcher, named, io);
  const current = dispatcher.rules();
  warnIfBroken(current, io);
  return current;
}

export function warnIfBroken({ problems, origin }: CurrentRules, io: Pick<CommandIo, "stderr">): void {
  if (problems.length === 0) return;
  io.stderr(`hookbell: the rules file is broken; ${insteadOfBroken[origin]}. See: hookbell check\n`);
}

/** A missing rules file is fine, unless the user named it. */
export function requireRulesFile(named: string | undefined, flag = "--config"): void {
  // Where it cannot be looked at, reading it reports what is wrong.
  if (named === undefined || !isAbsent(named)) return;
  throw new UserError("rules.missing", `there is no rules file ${named}`, {
    hint: `without ${flag}, the one in your configuration folder applies`,
    exitCode: exitCodes.badInput,
  });
}

/** A problem of a rules file, as `--json` prints it. */
export function problemAsJson({ severity = "error", path, message, hint, offset = 0 }: Problem, text: string): object {
  return { severity, path, ...positionOf(text, offset), message, ...(hint === undefined ? {} : { hint }) };
}
