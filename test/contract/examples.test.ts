// What people copy must work: every file in config/ that holds rules loads without a problem or a warning.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/rules/built-in.ts";
import { defaultRulesText } from "../../src/rules/default-rules.ts";
import { loadRules } from "../../src/rules/load.ts";
import { showProblems } from "../../src/rules/problems/show.ts";

const config = fileURLToPath(new URL("../../config/", import.meta.url));
const examples = readdirSync(join(config, "examples")).map((name) => join(config, "examples", name));
const files = [join(config, "rules.default.jsonc"), ...examples];
const read = (file: string): string => readFileSync(file, "utf8");

describe("the rules files that people copy", () => {
  it("are a handful", () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
    expect(examples.filter((file) => !file.endsWith(".jsonc"))).toEqual([]);
  });

  it.each(files)("%s loads without a problem or a warning", async (file) => {
    const text = read(file);
    const loaded = await loadRules(text);
    const problems = [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings];
    expect(showProblems(problems, { text, file, isColor: false })).toBe("");
    expect(loaded.status).toBe("good");
  });

  it.each(files)("%s starts with a comment and names the schema, first of all", (file) => {
    const text = read(file);
    expect(text).toMatch(/^\/\/ \S.*\n/);
    const [[key, schema] = []] = Object.entries(parse(text, [], { allowTrailingComma: true }) as object);
    expect(key).toBe("$schema");
    expect(read(join(dirname(file), String(schema)))).toBe(read(join(config, "rules.schema.json")));
  });

  it("hold no secret", () => {
    for (const file of files)
      expect(read(file)).not.toMatch(
        /whsec_[A-Za-z0-9+/]{8}|hooks\.slack\.com\/services\/T|:[^/\s@]+@(?!smtp\.example)/,
      );
  });
});

describe("the built-in rules", () => {
  it("are the ones in config/", () => {
    expect(defaultRulesText, "run: npm run generate").toBe(read(join(config, "rules.default.jsonc")));
  });

  it("have the desktop, which hookbell's own notices go to", async () => {
    expect((await builtInRules()).channels.desktop?.type).toBe("desktop");
  });
});
