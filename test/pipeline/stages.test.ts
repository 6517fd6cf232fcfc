import { expect, it } from "vitest";
import { deliveryStages, foregroundStages } from "../../src/pipeline/pipeline.ts";
import { type Ended, Stages } from "../../src/pipeline/stages.ts";

interface Words {
  words: string[];
}
const add = (word: string) => (context: Words) => ({ words: [...context.words, word] });
const later = (word: string) => (context: Words) => Promise.resolve({ words: [...context.words, word] });
const ends = (): Words | Ended => ({ ended: "gone", why: "it is over" });
const start: Words = { words: [] };

it("stages are taken in their order, at once where none of them waits", () => {
  const stages = Stages.first(add("a")).next(add("b")).next(add("c"));
  expect(stages.run(start, {})).toEqual({ words: ["a", "b", "c"] });
});

it("a stage that waits hands on what it found", async () => {
  const stages = Stages.first(later("a")).next(add("b")).next(later("c"));
  expect(await stages.run(start, {})).toEqual({ words: ["a", "b", "c"] });
});

it("no other work comes in between two stages that do not wait, also after one that does", async () => {
  const seen: string[] = [];
  const note = (word: string) => (context: Words) => {
    seen.push(word);
    queueMicrotask(() => seen.push(`other work after ${word}`));
    return context;
  };
  await Stages.first(later("a")).next(note("b")).next(note("c")).run(start, {});
  expect(seen.slice(0, 2)).toEqual(["b", "c"]);
});

it.each([
  ["at once", Stages.first(add("a")).next(ends).next(add("b"))],
  ["after a wait", Stages.first(later("a")).next(ends).next(later("b"))],
])("the way ends where a stage says so: %s", async (_when, stages) => {
  expect(await stages.run(start, {})).toEqual({ ended: "gone", why: "it is over" });
});

it("the list of a delivery's stages is the one that ARCHITECTURE.md has", () => {
  expect(deliveryStages.names()).toEqual([
    "collect",
    "decideAgain",
    "claim",
    "merge",
    "open",
    "render",
    "send",
    "record",
  ]);
  expect(foregroundStages.names()).toEqual(deliveryStages.names().slice(4));
});
