// The compiled chunks: they are used, a damaged one is not, and another user's folder has none. They load as CommonJS does.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { loadChunk } from "../../../src/system/process/compile-cache.ts";
import { webhookProject } from "../../integration/commands/webhook-project.ts";
import { type Project, temporaryProject } from "../../support/project/running-project.ts";

function compiledOf({ layout }: Project): Map<string, Buffer> {
  const folder = join(layout.root, "compile-cache");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** The files' megabytes are slow to compare. */
const digestsOf = (files: Map<string, Buffer>): Map<string, string> =>
  new Map([...files].map(([name, bytes]) => [name, createHash("sha256").update(bytes).digest("hex")]));

async function status(project: Project): Promise<string> {
  const { code, stdout, stderr } = await project.run(["status"]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** A project with a state folder, and what `status` prints there. */
async function usedProject(): Promise<{ project: Project; stdout: string }> {
  const project = temporaryProject();
  mkdirSync(project.layout.root, { mode: 0o700 });
  return { project, stdout: await status(project) };
}

describe("compiled chunks", () => {
  it("are kept, and written once", async () => {
    const project = await webhookProject();
    mkdirSync(project.layout.root, { mode: 0o700 });
    await project.run(["test", "ops"]);
    await status(project);
    const before = compiledOf(project);
    const names = [...before.keys()].map((name) => name.split("-")[0]);
    expect(names).toEqual(expect.arrayContaining(["start", "base", "rules", "channels", "delivery", "status"]));
    await status(project);
    expect(digestsOf(compiledOf(project))).toEqual(digestsOf(before));
  });

  it("are kept for the owner alone (posix)", async () => {
    const { project } = await usedProject();
    expect(statSync(join(project.layout.root, "compile-cache")).mode & 0o077).toBe(0);
  });

  it("are made again when a file of them is damaged", async () => {
    const { project, stdout } = await usedProject();
    const before = compiledOf(project);
    for (const [index, [name, bytes]] of [...before].entries()) {
      const damaged = index % 2 === 0 ? bytes.subarray(0, bytes.length / 2) : bytes.map((byte) => byte ^ 1);
      writeFileSync(join(project.layout.root, "compile-cache", name), damaged);
    }
    expect(await status(project)).toBe(stdout);
    expect(await status(project)).toBe(stdout);
    const rules = [...before.keys()].find((name) => name.startsWith("rules-")) ?? "";
    expect(compiledOf(project).get(rules)?.length).toBeGreaterThan(100_000);
  });

  it("are neither read nor written where other users may write (posix)", async () => {
    const { project, stdout } = await usedProject();
    chmodSync(project.layout.root, 0o777);
    const folder = join(project.layout.root, "compile-cache");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "");
    expect(await status(project)).toBe(stdout);
    expect([...compiledOf(project).values()].every((bytes) => bytes.length === 0)).toBe(true);
  });

  it("make no state folder", async () => {
    const project = temporaryProject();
    await status(project);
    expect(existsSync(project.layout.root)).toBe(false);
  });
});

describe.each(["with a state folder", "without one"])("chunks %s", (how) => {
  /** The chunks, and what the first one exports. */
  function load(texts: Record<string, string>): { exports: unknown; folder: string; project: Project } {
    const project = temporaryProject();
    const folder = join(project.home, "chunks");
    mkdirSync(folder);
    if (how === "with a state folder") mkdirSync(project.layout.root, { mode: 0o700 });
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const [first = ""] = Object.keys(texts);
    return { exports: loadChunk(join(folder, first), project.layout.root), folder, project };
  }

  it("load once, in circles too, and beside Node's modules", () => {
    const { exports, folder } = load({
      "a.cjs": `exports.early = 1;
        const b = require("./b.cjs");
        exports.late = 2;
        exports.is = [b.seen, b.late(), require("./b.cjs") === b, typeof require("node:path").join];
        exports.file = __filename;
        exports.folder = __dirname;`,
      "b.cjs": `const a = require("./a.cjs");
        exports.seen = { ...a };
        exports.late = () => a.late;`,
    });
    const is = [{ early: 1 }, 2, true, "function"];
    expect(exports).toEqual({ early: 1, late: 2, is, file: join(folder, "a.cjs"), folder });
  });

  it("say where an error is, and load again after it", () => {
    const { exports, folder } = load({
      "a.cjs": `exports.run = () => require("./b.cjs");`,
      "b.cjs": `throw new Error("broken");`,
    });
    for (const attempt of [1, 2]) {
      const stackOf = (): string => {
        try {
          return String((exports as { run: () => unknown }).run());
        } catch (error) {
          return (error as Error).stack ?? "";
        }
      };
      const stack = stackOf();
      expect(stack, `attempt ${attempt}`).toContain(`${join(folder, "b.cjs")}:1:7`);
      expect(stack, `attempt ${attempt}`).toContain(`${join(folder, "a.cjs")}:1:21`);
    }
  });

  it("are kept if they load at the start, before a dispatcher changes V8's flags", async () => {
    const { exports, project } = load({
      "a.cjs": `exports.run = () => require("./b.cjs");`,
      "b.cjs": "module.exports = 5;",
    });
    await pause(700);
    expect((exports as { run: () => number }).run()).toBe(5);
    await pause(700);
    const names = [...compiledOf(project).keys()].map((name) => name.replace(/\.\w+$/, ""));
    expect(names).toEqual(how === "with a state folder" ? ["a.cjs"] : []);
  });
});
