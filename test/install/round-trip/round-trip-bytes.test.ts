// What someone types into their own part of a file between init and uninstall is there afterwards, to the byte.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonShapes } from "./corpus/json-shapes.ts";
import { bytes, textOf, uninstall, install } from "./install.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";

type Json = string | number | Json[] | { [key: string]: Json };

/** Every value is a word that stands in the text once, so that an edit finds the same place in both states. */
const word = fc.constant<Json>("@");
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    word,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const layout = fc.record({
  indent: fc.constantFrom("", "  ", "\t"),
  eol: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n"),
});

/** JSON in forms that no program would write, in place of a value. */
const typed = ["1", "[ ]", '{"a" :1 ,\n "b":[ 1,2]}', "[\n1 , 2\n]", '"x" , "more": 5', '"x"\n,\n\n"more":{}', ' "x" '];
const comments = ["/* why */ 1", "1 // a, b }\n"];

/** The text with something typed over the n-th word of it, where that fits. */
function typeInto(text: string, edit: { over: number; with: string }): string {
  const place = text.indexOf(`"@${edit.over}"`);
  const before = text.slice(0, place);
  if (place === -1 || (edit.with.includes("more") && !/:\s*$/.test(before))) return text;
  const isCommand = /"command":\s*$/.test(before);
  // Another hook behind the person's own.
  const written = isCommand ? '"theirs" } ,{ "command":"also theirs"' : edit.with;
  return before + written + text.slice(place + `"@${edit.over}"`.length);
}

describe.each(jsonShapes)("what is typed into a file of $agent between init and uninstall", (shape) => {
  const { agent, file, event, foreign, version, hasComments } = shape;
  const handler = fc.constant<Json>({ command: "@" });
  const entry: fc.Arbitrary<Json> =
    shape.layout === "flat" ? handler : fc.record({ hooks: fc.array(handler, { minLength: 1, maxLength: 2 }) });
  const events = fc.dictionary(fc.constantFrom(event, foreign), fc.array(entry, { maxLength: 2 }));
  const others: fc.Arbitrary<Record<string, Json>> =
    agent === "codex"
      ? fc.dictionary(fc.constant("description"), word)
      : fc.dictionary(fc.stringMatching(/^k[a-z]{1,3}$/), value, { maxKeys: 3 });
  const text = fc
    .tuple(others, fc.option(events, { nil: undefined }), others, layout)
    .map(([before, hooks, after, { indent, eol, end }]) => {
      const held = shape.shape === "bare" ? hooks : hooks && { hooks };
      const whole = { ...(version === undefined ? {} : { version }), ...before, ...held, ...after };
      let count = 0;
      const written = JSON.stringify(whole, undefined, indent).replaceAll('"@"', () => `"@${count++}"`);
      return (written + end).replaceAll("\n", eol);
    });
  const edit = fc.record({
    over: fc.nat(4),
    with: fc.constantFrom(...typed, ...(hasComments === true ? comments : [])),
  });

  it("stays to the byte", () => {
    fc.assert(
      fc.property(text, fc.array(edit, { minLength: 1, maxLength: 3 }), (before, edits) => {
        const installed = install(agent, { [file]: bytes(before) });
        expect(installed.plan.problems).toEqual([]);
        const type = (start: string): string => edits.reduce(typeInto, start);
        const edited = type(textOf(installed.files[file]) ?? "");
        const back = uninstall(agent, { [file]: bytes(edited) }, installed.records, installed.originals);
        expect(textOf(back[file])).toBe(type(before));
      }),
      { numRuns: slowRuns(150) },
    );
  });
});
