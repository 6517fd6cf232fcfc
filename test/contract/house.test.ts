// The house keeps its own rules: what the linter cannot see is read here.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { familyRows } from "../../src/agents/family/rows.ts";
import { agents } from "../../src/agents/index.ts";
import { circlesOf, importsOfSources } from "../../scripts/checks/circles.mjs";
import { rankOf } from "../../scripts/ranks.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

function files(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
const sources = files("src").filter((path) => path.endsWith(".ts"));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** What the linter has no rule for; read from the source without its comments and types. */
const sourceRules: {
  name: string;
  pattern: RegExp;
  isExempt: (path: string) => boolean;
  breaks: string[];
  keeps: string[];
}[] = [
  {
    name: "takes the time from a clock",
    pattern: /\bnew Date(?:\(\)|(?!\())|(?<!new )\bDate\(/,
    isExempt: isSystem,
    breaks: ["export const at = new Date();", "export const at = new Date;", "export const at = Date();"],
    keeps: ["export const at = (ms: number) => new Date(ms);", "// new Date()", "export type At = Date;"],
  },
  {
    name: "is handed chance",
    pattern: /\b(?:random(?:Bytes|UUID|Int|Fill(?:Sync)?)|getRandomValues|webcrypto)\b/,
    isExempt: isSystem,
    breaks: [
      `import { randomBytes } from "node:crypto";\nrandomBytes(4);`,
      `import * as chance from "node:crypto";\nchance.randomUUID();`,
    ],
    keeps: [
      `import { createHash } from "node:crypto";\ncreateHash("sha256");`,
      "/* randomBytes */ export const a = 1;",
    ],
  },
  {
    name: "imports by names that the linter can read",
    pattern: /\bimport\((?!")/,
    isExempt: isSystem,
    breaks: ["export const late = (name: string) => import(`../rules/${name}.ts`);"],
    keeps: [`export const late = () => import("./late.ts");`],
  },
  {
    name: "writes JSON for a screen by jsonLine",
    pattern: /\bstd(?:out|err)\((?:`\$\{)?JSON\.stringify/,
    isExempt: () => false,
    breaks: ["export const go = (io: Io) => io.stdout(`${JSON.stringify(io)}\\n`);"],
    keeps: ["export const go = (io: Io) => io.stdout(jsonLine(io));"],
  },
  {
    name: "has classes that inherit from errors alone",
    pattern: /\bclass(?:\s+\w+)?\s+extends\s+(?!Error\b)[\w.]+/,
    isExempt: () => false,
    breaks: ["class A extends Map {}", "export const a = class extends Outbox {};"],
    keeps: [
      `// export class A extends Map {}`,
      "export class Outbox {}",
      "export class BusError extends Error {}",
      `export const classes = { class: "a" };`,
    ],
  },
];

function isSystem(path: string): boolean {
  return path.startsWith("src/system/");
}

function withoutComments(source: string): string {
  return transformSync(source, {
    loader: "ts",
    minifyWhitespace: true,
    legalComments: "none",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code;
}

/** Once for all the rules. */
const plainSources = sources.map((path) => ({ path, plain: withoutComments(read(path)) }));

describe.each(sourceRules)("every source $name", ({ pattern, isExempt, breaks, keeps }) => {
  it("in src", () => {
    const broken = plainSources.filter(({ path, plain }) => !isExempt(path) && pattern.test(plain));
    expect(broken.map(({ path }) => path)).toEqual([]);
  });
  it.each(breaks)("and not as in: %s", (source) => {
    expect(withoutComments(source)).toMatch(pattern);
  });
  it.each(keeps)("but may be: %s", (source) => {
    expect(withoutComments(source)).not.toMatch(pattern);
  });
});

describe("a module's own variables", () => {
  /** Those that are assigned again, and collections that change: as `Layout.memory`, such a thing belongs to what it is about. */
  const changingIn = (source: string): string[] => {
    const plain = transformSync(source, { loader: "ts" }).code;
    const assigned = [...plain.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)];
    const collections = [
      ...plain.matchAll(/^(?:export )?const (\w+) = (?:\/\* @__PURE__ \*\/ )?new (?:Weak)?(?:Map|Set)\b/gm),
    ];
    const isChanged = (name = ""): boolean => new RegExp(`\\b${name}\\.(?:set|add|delete|clear)\\(`).test(plain);
    return [...assigned, ...collections.filter(([, name]) => isChanged(name))].map(([, name = ""]) => name);
  };

  /** Results of pure functions, and what takes long to make and never changes then. */
  const madeOnce = {
    "src/answers/card/look-alikes.ts": ["looks"],
    "src/jsonc/position.ts": ["last"],
    "src/model/figures/wall-clock.ts": ["formats", "offsets"],
    "src/model/privacy/command-secrets.ts": ["optionsOf"],
    "src/model/privacy/redact.ts": ["textsOfKnown"],
    "src/model/privacy/scrub-event.ts": ["masked"],
    "src/model/privacy/scrub.ts": ["made"],
    "src/model/rich-text/shorten.ts": ["sentences", "known"],
    "src/model/text.ts": ["graphemes", "anyUnseen", "unseenOrMeant"],
    "src/rules/schema/condition.ts": ["engine"],
    "src/rules/schema/known-keys.ts": ["made"],
  };
  /** What holds for the whole process: its connections, V8's flags, what it is at, and which texts are secret. */
  const ofProcess = {
    "src/model/privacy/content.ts": ["summarise"],
    "src/model/privacy/originals.ts": ["originals", "cleanTexts"],
    "src/outbox/stuck/note.ts": ["current", "note", "isClearing"],
    "src/system/files/read.ts": ["watch"],
    "src/system/network/listen.ts": ["kept"],
  };

  it("do not change, apart from these", () => {
    // Its plug-in for the agent is a program in a string.
    const others = sources.filter((path) => path !== "src/agents/known/opencode/plug-in-text.ts");
    const found = others.map((path): [string, string[]] => [path, changingIn(read(path))]);
    const changing = Object.fromEntries(found.filter(([, names]) => names.length > 0));
    expect(changing).toEqual({ ...madeOnce, ...ofProcess });
  });

  it.each([
    "let last = 0;",
    "export const known = new Map<string, number>();\nexport const note = () => known.set('a', 1);",
    "const known: WeakMap<object, string> = new WeakMap();\nexport const note = (a: object) => known.set(a, 'a');",
  ])("are found where they change: %s", (source) => {
    expect(changingIn(source)).toHaveLength(1);
  });

  it.each([
    "export const names: ReadonlySet<string> = new Set(['a']);",
    "export const known = () => new Map<string, number>();",
    "export function count() {\n  let sum = 0;\n  return (sum += 1);\n}",
  ])("may be: %s", (source) => {
    expect(changingIn(source)).toEqual([]);
  });
});

describe("the folders of src", () => {
  it("each have a rank", () => {
    const entries = readdirSync(join(root, "src"), { withFileTypes: true }).map(({ name }) => name);
    expect(entries.filter((name) => !rankOf.has(name) && !name.endsWith(".md"))).toEqual([]);
  });

  it("hold few entries, as the other folders of the project do", () => {
    const most = 15;
    const isData = /\/(?:payloads|documented|corpus|recorded-runs\/runs)$/;
    const foldersIn = (folder: string): string[] => [
      folder,
      ...readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !isData.test(`${folder}/${entry.name}`))
        .flatMap(({ name }) => foldersIn(`${folder}/${name}`)),
    ];
    const entriesOf = (folder: string): string[] =>
      // test/ has the folders of src/ besides its own.
      readdirSync(join(root, folder)).filter((name) => folder !== "test" || !rankOf.has(name));
    const all = ["src", "test", "bench", "scripts", "docs", "demo", "hooks", "config"].flatMap(foldersIn);
    // ARCHITECTURE.md orders the entries of src/, docs/README.md the pages of docs/, and a registry the agents, so they may have more.
    const isOrdered = (folder: string): boolean =>
      ["src", "docs/reference", "src/agents/known", "test/agents/known"].includes(folder);
    expect(all.filter((folder) => !isOrdered(folder) && entriesOf(folder).length > most)).toEqual([]);
  });

  it("have files that start with a sentence that says what they are for", () => {
    const starts = /^(?:#!.*\n)?(?:\/\/ .*\n)+/;
    expect(sources.filter((path) => !starts.test(read(path)))).toEqual([]);
  });

  it("name files in kebab-case, by no word that says nothing", () => {
    const banned = /^(?:(?:util|helper|manager|service|handler)s?|data)$/;
    const isNamedWell = (path: string): boolean =>
      /^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(basename(path)) &&
      !basename(path, ".ts")
        .split("-")
        .some((word) => banned.test(word));
    expect(["src/a/http-utils.ts", "src/a/data.ts", "src/a/Thing.ts"].filter(isNamedWell)).toEqual([]);
    // The list of what a dispatcher runs, which are services.
    const named = sources.filter((path) => !path.endsWith(".d.ts") && path !== "src/daemon/services.ts");
    expect(named.filter((path) => !isNamedWell(path))).toEqual([]);
  });
});

describe("the entries of a folder", () => {
  it.each([
    [
      [
        ["src/a/x.ts", "src/b/y.ts"],
        ["src/b/z.ts", "src/a/w.ts"],
      ],
      ["src/a", "src/b"],
    ],
    [
      [
        ["src/a/b/x.ts", "src/a/c.ts"],
        ["src/a/c.ts", "src/a/b/y.ts"],
      ],
      ["src/a/b", "src/a/c.ts"],
    ],
    [
      [
        ["src/a/x.ts", "src/b/y.ts"],
        ["src/b/z.ts", "src/c/w.ts"],
      ],
      undefined,
    ],
  ] as [[string, string][], string[] | undefined][])("are in a circle or not: %j", (imports, circle) => {
    expect(circlesOf(imports)[0]).toEqual(circle);
  });

  it("do not import each other in circles", () => {
    const imports = importsOfSources();
    expect(imports.length).toBeGreaterThan(1000);
    expect(circlesOf(imports)).toEqual([]);
  });
});

describe("a wing", () => {
  const wingOf = (path: string): string | undefined =>
    /^src\/wing(?:s|-settings)\/(?!index\.|part\.)([\w-]+)/.exec(path)?.[1];

  it("and its settings are imported by itself and by the lists alone, so that the rest compiles without it", () => {
    const imports = importsOfSources().filter(([from]) => from !== "src/wings/index.ts");
    const ofWings = imports.filter(([, to]) => wingOf(to) !== undefined);
    expect(ofWings.length).toBeGreaterThan(100);
    const foreign = ofWings.filter(([from, to]) => wingOf(from) !== wingOf(to));
    expect(foreign.filter(([from]) => from !== "src/wing-settings/index.ts")).toEqual([]);
  });
});

describe("the name of an exported type", () => {
  const namesIn = (source: string): string[] =>
    [...source.matchAll(/^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm)].map(
      ([, name = ""]) => name,
    );

  it.each([
    ["export type Turn = string;", ["Turn"]],
    ["export interface Turn<T> {}\nexport abstract class Queue {}", ["Turn", "Queue"]],
    ['export type { Turn } from "./turn.ts";\nexport { type Turn };', []],
    ["interface Turn {}\n// export type Turn = string;\n  export type Turn = string;", []],
  ])("is read from %j", (source, names) => {
    expect(namesIn(source)).toEqual(names);
  });

  it("has one meaning", () => {
    const declared = sources.flatMap((path) => namesIn(read(path)).map((name) => ({ name, path })));
    expect(declared.length).toBeGreaterThan(500);
    const first = new Map(declared.toReversed().map(({ name, path }) => [name, path]));
    expect(declared.filter(({ name, path }) => first.get(name) !== path)).toEqual([]);
  });
});

describe("every agent's file", () => {
  it("is in the registry, and named after the agent", async () => {
    const modules = await Promise.all(
      files("src/agents").map(async (path) => ({
        name: basename(path) === "payload.ts" ? basename(dirname(path)) : basename(path, ".ts"),
        exported: (await import(new URL(`../../${path}`, import.meta.url).href)) as Record<string, unknown>,
      })),
    );
    const defined = modules.flatMap(({ name, exported }) =>
      Object.values(exported)
        .filter((value) => typeof value === "object" && value !== null && "variables" in value && "facts" in value)
        .map((agent) => ({ name, agent })),
    );
    expect(defined.length).toBeGreaterThan(0);
    expect(defined.filter(({ agent }) => !agents.some((registered) => registered === agent))).toEqual([]);
    const ofRows = Object.keys(familyRows);
    expect([...defined.map(({ name }) => name), ...ofRows].toSorted()).toEqual(agents.map(({ id }) => id).toSorted());
  });
});

describe("property tests", () => {
  it("draw the same cases in every run", () => {
    expect(fc.sample(fc.nat(), 5)).toEqual(fc.sample(fc.nat(), 5));
  });
});

describe("every text of the project", () => {
  const texts = [
    ...["src", "test", "scripts", "demo", "bench", "hooks", "config", "docs", ".ci"].flatMap((folder) => files(folder)),
    ...readdirSync(root).filter((name) => /\.(?:md|jsonc?|ts)$/.test(name)),
  ].filter(
    (path) =>
      !/^test\/agents\/known\/[^/]+\/(?:payloads|documented)\/|\/state-before\.json$/.test(path) &&
      /\.(?:ts|mjs|js|jsonc?|md|sh|ya?ml)$|run$/.test(path),
  );

  it.each([
    // In brackets, so that this file does not find itself.
    {
      what: "a word that plain English does without",
      // Apart from names in data, and from what an agent asks: "Shall I ...?"
      pattern:
        /(?<!`)\bm[e]nd(?:s|ed|ing)?\b|\bwhoe[v]er\b|(?<!["{])\bnob[o]dy\b(?![@"-])|\bsomeb[o]dy\b|\bsha[l]l\b(?! I\b)|\bof [o]urs\b|\bcame [a]\b/i,
      example: ["who", "ever"].join(""),
    },
    { what: "a thing left to do", pattern: /\b(?:TO[D]O|FIX[M]E)\b/, example: ["TO", "DO"].join("") },
    {
      what: "a path of the machine it was written on",
      pattern: /(?<![\w.~$}-])\/(?:root|work\/(?:main|shared))\b/,
      example: ["", "root", "x"].join("/"),
    },
  ])("holds no $what", ({ pattern, example }) => {
    expect(example).toMatch(pattern);
    expect(texts.length).toBeGreaterThan(sources.length);
    expect(texts.filter((path) => pattern.test(read(path)))).toEqual([]);
  });

  it("names no registry in the lock file", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    const resolved = Object.values(packages).flatMap((entry) => entry.resolved ?? []);
    expect(resolved.filter((url) => !url.startsWith("https://registry.npmjs.org/"))).toEqual([]);
  });
});

describe("comments", () => {
  /** A word that can hardly begin a sentence with a subject. */
  const dangling =
    /^(?:Of|Then|Also|Nor|And|Or|But|Not|Told|Asked|Sent|Made|Given|Kept|Taken|Written|Renamed|Searched|Added|Removed|Called|Else|Longer|Shorter|Larger|Smaller|Otherwise)\b/;
  /** It begins a sentence only with a clause after a comma, or with a verb later on. */
  const opening =
    /^(?:With|Without|By|For|In|At|To|As|After|Before|From|Until|Since|Because|Instead|Except|Between|Only (?:if|when|for|in|with))\b/;
  const verb = /,|\b(?:is|are|was|were|has|have|had|can|may|must|will|would|could|does|do|did|comes?|goes|means?)\b/;
  const isDangling = (text: string): boolean => {
    const [sentence = ""] = text.split(/[.;]\s/);
    return dangling.test(text) || (opening.test(text) && !verb.test(sentence));
  };
  const commentsOf = (source: string): string[] => {
    const lines = source.split("\n");
    return lines.flatMap((line, index) => {
      if (/^\s*\/\//.test(line) && /^\s*\/\//.test(lines[index - 1] ?? "")) return [];
      const [, text] = /^\s*(?:\/\/|\/\*\*?)\s?(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
      return text === undefined ? [] : [text || (lines[index + 1] ?? "").replace(/^\s*\*\s?/, "")];
    });
  };

  it.each([
    "Of all that wait.",
    "Told first: a crash in between asks the receiver once more.",
    "By the agent's name.",
    "In hex.",
    "Also those that wait.",
    "For the user.",
  ])("do not begin as this one does: %s", (text) => {
    expect(isDangling(text)).toBe(true);
  });

  it.each([
    "Event ids to remember; Slack retries only recent ones.",
    "Undefined if the file does not exist, here and below.",
    "Only `system/` touches files.",
    "On the last page the cursor may be absent.",
    "With a token, the server answers.",
    "Before a release there is no version.",
    "Notify before saving: after a crash we ask the receiver once more.",
  ])("may begin as this one does: %s", (text) => {
    expect(isDangling(text)).toBe(false);
  });

  it("of src/, scripts/ and hooks/ begin as sentences do", () => {
    // A rules file in a template string, which has comments of its own.
    const isGenerated = (path: string): boolean => path.endsWith("/default-rules.ts");
    const all = ["src", "scripts", "hooks"].flatMap(files).filter((path) => /\.(?:ts|mjs)$/.test(path));
    const found = all
      .filter((path) => !isGenerated(path))
      .flatMap((path) =>
        commentsOf(read(path))
          .filter(isDangling)
          .map((text) => `${path}: ${text}`),
      );
    expect(found).toEqual([]);
  });
});
