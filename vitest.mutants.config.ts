import { statSync } from "node:fs";
import { sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** The tests that find a wrong decision in milliseconds, with no process of their own. */
const folders = ["answers", "daemon", "outbox", "own-files", "pipeline", "policies", "rules", "sessions"];

/** These run the whole dispatcher, still in the test's process and by its own clock: seconds for each change that they do not find. */
const ofDispatcher = [
  "attention/{acts,dispatcher,limits,one-ring,several-questions}",
  "dispatcher/{backlog,content,endpoints,own-notices,retries}",
];

const long = ["rules/apply/many-rules"];

/** What is decided here needs no dispatcher, so a test that takes milliseconds has to find a wrong decision. */
const pure = /^test\/(?:attention|rules|sessions)\b/;

/** What scripts/tests/mutants.mjs changes, with commas between. */
const changed = (process.env.HOOKBELL_MUTATED ?? "").split(",").map((place) => place.replace(/^src/, "test"));

const isOnlyPure = changed.every((place) => pure.test(place));

/** A change that a test finds ends the run, so the tests of what is changed come first, and those that load little before others. */
class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const distance = ({ moduleId }: TestSpecification): number => {
      const file = moduleId.split(sep).join("/");
      if (file.includes("/test/integration/")) return 2;
      return changed.some((place) => place !== "" && file.includes(`/${place}/`)) ? 0 : 1;
    };
    const bytes = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;
    return Promise.resolve(files.toSorted((a, b) => distance(a) - distance(b) || bytes(a) - bytes(b)));
  }
}

export default defineConfig({
  test: {
    ...shared,
    include: [
      ...folders.map((folder) => `test/${folder}/**/*.test.ts`),
      ...(isOnlyPure ? [] : ofDispatcher).map((names) => `test/integration/${names}.test.ts`),
    ],
    // Each change that no test finds would take as long as all of them.
    exclude: long.map((name) => `test/${name}.test.ts`),
    sequence: { sequencer: NearestFirst },
  },
});
