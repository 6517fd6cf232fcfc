import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonShapes } from "./corpus/json-shapes.ts";
import { bytes, textOf, uninstall, install, hookSetups, type Files } from "./install.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Settings = Record<string, Json>;

const runs = slowRuns(120);

const layout = fc.record({
  indent: fc.constantFrom("", "  ", "    ", "\t"),
  eol: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
});
const write = (value: Settings, { indent, eol, end }: { indent: string; eol: string; end: string }): Uint8Array =>
  bytes((JSON.stringify(value, undefined, indent) + end).replaceAll("\n", eol));
const read = (content: Uint8Array): Settings => JSON.parse(textOf(content) ?? "") as Settings;

const command = fc.constantFrom("say done", "/opt/tool --flag 'a b'", "echo hookbell", "a | b", "cat >> log");

describe.each(jsonShapes)("init and uninstall of $agent on any settings", (shape) => {
  const { agent, file, event, foreign, version } = shape;
  const isBare = shape.shape === "bare";
  const known = [...Object.keys(hookSetups[agent].events), event, foreign];
  const handler = fc.record({ command, timeout: fc.nat(60) }, { requiredKeys: ["command"] });
  const entry = (
    shape.layout === "flat"
      ? handler
      : fc.record(
          { matcher: fc.constantFrom("", "*"), hooks: fc.array(handler, { maxLength: 3 }) },
          { requiredKeys: ["hooks"] },
        )
  ) as fc.Arbitrary<Json>;
  const events = fc.dictionary(fc.constantFrom(...known), fc.array(entry, { maxLength: 3 }), { maxKeys: 4 });
  const key = fc
    .string({ unit: "grapheme", maxLength: 5 })
    .filter((name) => !["hooks", "version", "description", "__proto__", "disableAllHooks", ...known].includes(name));
  const others: fc.Arbitrary<Settings> =
    agent === "codex"
      ? fc.dictionary(fc.constant("description"), fc.string() as fc.Arbitrary<Json>)
      : fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, { maxKeys: 3 });
  const settings = fc
    .tuple(others, fc.option(events, { nil: undefined }), fc.boolean())
    .map(([other, hooks, hasVersion]): Settings => ({
      ...(version !== undefined && hasVersion ? { version } : {}),
      ...other,
      ...(hooks === undefined ? {} : isBare ? hooks : { hooks }),
    }));
  const content = fc.tuple(settings, layout).map(([value, how]) => write(value, how));

  /** What someone does in between, to the installed file and to the one that never was. */
  type Edit = (value: Settings) => Settings;
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    fc.tuple(others).map(([more]): Edit => (value) => ({ ...value, ...more })),
    fc.tuple(fc.constantFrom(...known), entry).map(([name, added]): Edit => (value) => {
      const container = (isBare ? value : (value.hooks ?? {})) as Record<string, Json[]>;
      const changed = { ...container, [name]: [...(container[name] ?? []), added] };
      return isBare ? changed : { ...value, hooks: changed };
    }),
    fc.constant<Edit>((value) => Object.fromEntries(Object.entries(value).reverse())),
  );

  /** What an agent can tell apart: no empty events, no order of keys, and no version, which init may have to leave. */
  const meaning = (value: Settings): string => {
    const { version: _, hooks, ...rest } = value;
    const tidy = (container: Settings): [string, Json][] =>
      Object.entries(container)
        .filter(([name, item]) => !(known.includes(name) && Array.isArray(item) && item.length === 0))
        .sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([tidy(rest), tidy((hooks ?? {}) as Settings)]);
  };

  it("give back every byte when nothing came between, with and without the backup", () => {
    fc.assert(
      fc.property(content, (before) => {
        const files: Files = { [file]: before };
        const installed = install(agent, files);
        expect(installed.plan.problems).toEqual([]);
        expect(install(agent, installed.files).plan.changes).toEqual([]);
        expect(textOf(uninstall(agent, installed.files, installed.records, installed.originals)[file])).toBe(
          textOf(before),
        );
        const byEdits = uninstall(agent, installed.files, installed.records)[file] ?? bytes("{}");
        expect(meaning(read(byEdits))).toBe(meaning(read(before)));
      }),
      { numRuns: runs },
    );
  });

  it("mean the same as no init at all when someone edited in between", () => {
    fc.assert(
      fc.property(content, edit, edit, layout, (before, first, second, how) => {
        const installed = install(agent, { [file]: before });
        const change = (value: Uint8Array): Uint8Array => write(second(first(read(value))), how);
        const edited = change(installed.files[file] ?? bytes("{}"));
        const back = uninstall(agent, { ...installed.files, [file]: edited }, installed.records)[file] ?? bytes("{}");
        expect(meaning(read(back))).toBe(meaning(read(change(before))));
        expect(textOf(back)).not.toMatch(/hook\.cjs/);
      }),
      { numRuns: runs },
    );
  });
});

describe("init and uninstall of files of our own", () => {
  it.each(["cline", "opencode", "goose"] as const)("leave everything beside %s's alone", (agent) => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string()), (texts) => {
        const files: Files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, bytes(text)]));
        const installed = install(agent, files);
        const back = Object.entries(uninstall(agent, installed.files, installed.records)).filter(
          ([, left]) => left !== undefined,
        );
        expect(Object.fromEntries(back)).toEqual(files);
      }),
      { numRuns: slowRuns(50) },
    );
  });
});
