import { expect, it } from "vitest";
import { growthProblem, repeated, units } from "../../support/outside-text/growth.ts";
import { outsideParsers } from "../../support/outside-text/parsers.ts";

/** In UTF-16 units. What is quadratic takes a second for so many, and what is linear some milliseconds. */
const length = 32 * 1024;

it.each(Object.entries(outsideParsers))("%s is read in time that grows with its length", (_, parser) => {
  const most = Math.min(length, parser.maxLength);
  const problems = units.flatMap((unit) =>
    [["", ""] as const, ...(parser.around ?? [])].flatMap((around) => {
      const problem = growthProblem(parser.read, repeated(unit, around), most);
      return problem === undefined ? [] : [`${JSON.stringify(around[0] + unit + around[1])} ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
});
