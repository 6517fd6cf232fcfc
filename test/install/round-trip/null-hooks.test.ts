// `"hooks": null` says that there are none: hookbell's are put in its place, and uninstall gives it back.
import { expect, it } from "vitest";
import { bytes, install, textOf, uninstall } from "./install.ts";

const name = "settings.json";

it.each(["claude-code", "gemini-cli", "qwen-code"] as const)(
  "null in place of the hooks of %s is no mistake",
  (agent) => {
    const text = '{\n  "model": "x",\n  "hooks": null\n}\n';
    const { files, plan, records, originals } = install(agent, { [name]: bytes(text) });
    expect(plan.problems).toEqual([]);
    const { model, hooks } = JSON.parse(textOf(files[name]) ?? "") as { model: string; hooks: { [event: string]: [] } };
    expect(model).toBe("x");
    expect(Object.keys(hooks).length).toBeGreaterThan(0);
    expect(install(agent, files).plan).toMatchObject({ changes: [], problems: [], missing: [] });
    expect(textOf(uninstall(agent, files, records, originals)[name])).toBe(text);
    // Without the backup, no empty list is left.
    const left = JSON.parse(textOf(uninstall(agent, files, records)[name]) ?? "") as object;
    expect(JSON.stringify(left)).not.toContain("[]");
  },
);
