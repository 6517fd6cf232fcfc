import type { CurrentRules } from "../dispatch/current-rules.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { exitCodes, PersonError } from "../model/errors.ts";
import { showProblems } from "../rules/show-problems.ts";
import type { CommandIo } from "./command-io.ts";

/** The rules that apply; a person who asks about them in the foreground is shown what is wrong instead. */
export function goodRules(dispatcher: Dispatcher, file: string, io: CommandIo): CurrentRules {
  const current = dispatcher.rules();
  if (current.problems.length === 0) return current;
  const { problems, text } = current;
  throw new PersonError(
    "rules.broken",
    `the rules file is broken\n${showProblems(problems, { text, file, isColor: io.isColor })}`,
    {
      exitCode: exitCodes.badRules,
    },
  );
}
