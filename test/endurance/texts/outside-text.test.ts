// Reads long hostile texts with every parser of outside text: units that repeat, and mixtures of them.
import fc from "fast-check";
import { expect, it } from "vitest";
import { growthProblem, repeated, units } from "../../support/faults/outside-text/growth.ts";
import { outsideParsers } from "../../support/faults/outside-text/parsers.ts";

/** In UTF-16 units. */
const length = 32 * 1024;
const mixtures = 30;

it.each(Object.entries(outsideParsers))("%s is read in time that grows with its length", (_, parser) => {
  const most = Math.min(length, parser.maxLength);
  const mixed = fc.sample(
    fc.array(fc.constantFrom(...units), { minLength: 2, maxLength: 5 }).map((parts) => parts.join("")),
    mixtures,
  );
  const problems = [...units, ...mixed].flatMap((unit) =>
    [["", ""] as const, ...(parser.around ?? [])].flatMap((around) => {
      const problem = growthProblem(parser.read, repeated(unit, around), most);
      return problem === undefined ? [] : [`${JSON.stringify(around[0] + unit + around[1])} ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
});
