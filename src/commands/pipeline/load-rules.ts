import type { CurrentRules } from "../../dispatch/current-rules.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { positionOf } from "../../jsonc/position.ts";
import { exitCodes, UserError } from "../../model/errors.ts";
import type { Problem } from "../../model/problem.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { statIfThere } from "../../system/files/files.ts";
import type { CommandIo } from "../console/command-io.ts";

/**
 * The rules that apply; a person who asks about them in the foreground is shown what is wrong instead. `named` is what
 * `--config` said, if it said anything.
 */
export function goodRules(dispatcher: Dispatcher, named: string | undefined, io: CommandIo): CurrentRules {
  requireRulesFile(named);
  const file = named ?? io.places.rulesFile;
  const current = dispatcher.rules();
  if (current.problems.length === 0) return current;
  const { problems, text } = current;
  // Written to standard error, of which nobody has said that it is a terminal.
  const shown = showProblems(problems, { text, file, isColor: false, columns: io.columns });
  throw new UserError("rules.broken", `the rules file is broken\n${shown.trimEnd()}`, {
    exitCode: exitCodes.badRules,
    details: { file, problems: problems.map((problem) => problemAsJson(problem, text)) },
  });
}

const instead = { file: "", lastGood: "the last good rules apply", builtIn: "the built-in rules apply" };

/** The rules that apply, for what must not be lost: a broken file is mentioned, and the last good rules do. */
export function usableRules(dispatcher: Dispatcher, named: string | undefined, io: CommandIo): CurrentRules {
  if (named !== undefined) return goodRules(dispatcher, named, io);
  const current = dispatcher.rules();
  if (current.problems.length > 0) {
    io.stderr(`hookbell: the rules file is broken (hookbell check shows where); ${instead[current.origin]}\n`);
  }
  return current;
}

/** Without any rules file the built-in rules apply, but not where the person has named one. */
export function requireRulesFile(named: string | undefined): void {
  if (named === undefined || isThere(named)) return;
  throw new UserError("rules.missing", `there is no rules file ${named}`, {
    hint: "without --config, the one in your configuration folder applies",
    exitCode: exitCodes.badInput,
  });
}

function isThere(path: string): boolean {
  try {
    return statIfThere(path) !== undefined;
  } catch {
    // What it is that cannot be read is said by whoever reads it.
    return true;
  }
}

/** A problem of a rules file as `--json` has it: where it is, what it is, and how to fix it. */
export function problemAsJson({ severity = "error", path, message, hint, offset = 0 }: Problem, text: string): object {
  return { severity, path, ...positionOf(text, offset), message, ...(hint === undefined ? {} : { hint }) };
}
