import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { bytes, isOwn, textOf, uninstall, install, hookSetups, type AgentId, type Files } from "./install.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Settings = Record<string, Json>;

const eventNames = [
  "Stop",
  "Notification",
  "SubagentStop",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "SessionStart",
];
const command = fc.constantFrom(
  "say done",
  "/opt/tool --flag 'a b'",
  "python3 ~/.claude/hook.py",
  "echo hookbell",
  "a | b",
);
const handler = fc.record(
  { type: fc.constant("command"), command, timeout: fc.nat(60) },
  { requiredKeys: ["type", "command"] },
);
const group = fc.record(
  { matcher: fc.constantFrom("", "*", "Bash"), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ["hooks"] },
);
const events = fc.dictionary(fc.constantFrom(...eventNames), fc.array(group, { maxLength: 3 }), { maxKeys: 5 });
const key = fc
  .oneof(fc.string({ maxLength: 6 }), fc.string({ unit: "grapheme", maxLength: 4 }))
  .filter((name) => name !== "hooks" && name !== "__proto__" && !eventNames.includes(name));
const others = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, { maxKeys: 4 });

const settings = (isBare: boolean): fc.Arbitrary<Settings> =>
  fc.tuple(others, fc.option(events, { nil: undefined }), others).map(([before, hooks, after]) => ({
    ...(isBare ? {} : before),
    ...(hooks === undefined ? {} : isBare ? hooks : { hooks }),
    ...after,
  })) as fc.Arbitrary<Settings>;

const layout = fc.record({
  indent: fc.constantFrom("", "  ", "    ", "\t", " "),
  eol: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
  mark: fc.constantFrom("", "\uFEFF"),
});

const write = (
  value: Settings,
  { indent, eol, end, mark }: { indent: string; eol: string; end: string; mark: string },
  hasMark: boolean,
): Uint8Array => bytes((hasMark ? mark : "") + (JSON.stringify(value, undefined, indent) + end).replaceAll("\n", eol));

const optionalFile = (isBare: boolean, hasMark: boolean): fc.Arbitrary<Uint8Array | undefined> =>
  fc.option(
    fc.tuple(settings(isBare), layout).map(([value, how]) => write(value, how, hasMark)),
    { nil: undefined },
  );

const filesOf: Record<"claude-code" | "droid", fc.Arbitrary<Files>> = {
  "claude-code": fc.record({ "settings.json": optionalFile(false, true) }),
  droid: fc.record({ "hooks.json": optionalFile(true, false), "settings.json": optionalFile(false, false) }),
};

const read = (content: Uint8Array | undefined): Settings | undefined =>
  content === undefined ? undefined : (JSON.parse(textOf(content)?.replace(/^\uFEFF/, "") ?? "") as Settings);

/** Something that a person or an agent does to a file between init and uninstall; the same for both states. */
type Edit = (value: Settings, isBare: boolean) => Settings;

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(key, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>).map(([name, json]): Edit => (value) => ({
    ...value,
    [name]: json,
  })),
  fc.tuple(fc.constantFrom(...eventNames), group).map(([event, added]): Edit => (value, isBare) => {
    const container = (isBare ? value : (value.hooks ?? {})) as Record<string, Json[]>;
    const changed = { ...container, [event]: [...(container[event] ?? []), added as Json] };
    return isBare ? changed : { ...value, hooks: changed };
  }),
  fc.constant<Edit>((value) => Object.fromEntries(Object.entries(value).reverse())),
  fc.constant<Edit>((value) => value),
);

/** The settings with empty events and an empty `hooks` left out, keys sorted: what an agent can tell apart. */
function meaning(content: Uint8Array | undefined, isBare: boolean): string {
  const value = read(content) ?? {};
  const tidy = (container: Settings): Settings =>
    Object.fromEntries(
      Object.entries(container).filter(
        ([name, item]) => !(eventNames.includes(name) && Array.isArray(item) && item.length === 0),
      ),
    );
  const whole = isBare
    ? tidy(value)
    : { ...value, ...(value.hooks === undefined ? {} : { hooks: tidy(value.hooks as Settings) }) };
  const { hooks, ...rest } = whole;
  const isEmpty = hooks === undefined || Object.keys(hooks as object).length === 0;
  return JSON.stringify(sorted(isEmpty ? rest : whole));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, sorted(item)]);
}

const isBareFile = (agent: AgentId, name: string): boolean =>
  hookSetups[agent].files.some((file) => file.name === name && file.shape === "bare");

describe.each(["claude-code", "droid"] as const)("init and uninstall of %s on any settings", (agent) => {
  it("give back every byte when nothing came between", () => {
    fc.assert(
      fc.property(filesOf[agent], (files) => {
        const installed = install(agent, files);
        expect(installed.plan.problems).toEqual([]);
        expect(install(agent, installed.files).plan.changes).toEqual([]);
        const back = uninstall(agent, installed.files, installed.records, installed.originals);
        for (const name of Object.keys(installed.files)) expect(textOf(back[name])).toBe(textOf(files[name]));
      }),
      { numRuns: slowRuns(300) },
    );
  });

  it("mean the same as no init at all when someone edited in between", () => {
    fc.assert(
      fc.property(filesOf[agent], edit, edit, layout, (files, first, second, how) => {
        const installed = install(agent, files);
        const change = (all: Files): Files =>
          Object.fromEntries(
            Object.entries(all).map(([name, content]) => {
              const value = read(content);
              const isBare = isBareFile(agent, name);
              // A file that init made is not there without init, and no one edits it then.
              if (value === undefined || files[name] === undefined) return [name, content];
              return [name, write(second(first(value, isBare), isBare), how, false)];
            }),
          );
        const back = uninstall(agent, change(installed.files), installed.records, installed.originals);
        const plain = change(files);
        for (const name of Object.keys(back)) {
          const isBare = isBareFile(agent, name);
          expect([name, meaning(back[name], isBare)]).toEqual([name, meaning(plain[name], isBare)]);
          const left = JSON.stringify(read(back[name]) ?? {});
          expect(isOwn(/"command":"([^"]*hook\.cjs[^"]*)"/.exec(left)?.[1] ?? "")).toBe("foreign");
        }
      }),
      { numRuns: slowRuns(300) },
    );
  });
});

describe("init and uninstall of files with comments", () => {
  it("never lose a comment", () => {
    const comments = ["// top", "/* a */", "// b, with a comma", "/* } ] */", "// end"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...comments), { minLength: 6, maxLength: 6 }),
        fc.constantFrom("[]", '[{"hooks":[]}]'),
        (slots, inner) => {
          const [a, b, c, d, e, f] = slots;
          const text = `${a}\n{ ${b}\n"PreToolUse": [] ${c}\n, "Stop": ${inner} ${d}\n${e}\n} ${f}\n`;
          const files: Files = { "hooks.json": bytes(text) };
          const installed = install("droid", files);
          expect(installed.plan.problems).toEqual([]);
          const back = textOf(uninstall("droid", installed.files, installed.records)["hooks.json"]) ?? "";
          for (const comment of new Set(slots)) {
            const count = (whole: string): number => whole.split(comment).length;
            expect(count(textOf(installed.files["hooks.json"]) ?? "")).toBe(count(text));
            expect(count(back)).toBe(count(text));
          }
          expect(parse(back)).toEqual(parse(text));
        },
      ),
      { numRuns: slowRuns(200) },
    );
  });
});
