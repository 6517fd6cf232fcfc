// The compiled chunks: they are used, a damaged one is not, and another user's folder has none.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
  it("are kept for the owner alone, and written once", async () => {
    const project = await webhookProject();
    mkdirSync(project.layout.root, { mode: 0o700 });
    await project.run(["test", "ops"]);
    await status(project);
    const before = compiledOf(project);
    const names = [...before.keys()].map((name) => name.split("-")[0]);
    expect(names).toEqual(expect.arrayContaining(["start", "base", "rules", "channels", "delivery", "status"]));
    const folder = join(project.layout.root, "compile-cache");
    expect(statSync(folder).mode & 0o077).toBe(0);
    await status(project);
    expect(digestsOf(compiledOf(project))).toEqual(digestsOf(before));
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

  it("are neither read nor written where other users may write", async () => {
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
