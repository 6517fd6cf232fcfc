// The compiled chunks: Node keeps them where it can, only in the person's own state folder, and no command depends on them.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { webhookProject } from "../../integration/commands/webhook-project.ts";
import { type Project, temporaryProject } from "../../support/project/running-project.ts";

/** Since Node 22.8. */
const hasCache = "enableCompileCache" in process.getBuiltinModule("node:module");

function folderOf({ layout }: Project): string {
  return join(layout.root, "compile-cache");
}

/** The files' paths, with what is in them. */
function compiledOf(project: Project): Map<string, Buffer> {
  const folder = folderOf(project);
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return new Map(paths.flatMap((path) => (statSync(path).isFile() ? [[path, readFileSync(path)] as const] : [])));
}

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
  it("are kept for the owner alone where Node has a cache, and written once", async () => {
    const project = await webhookProject();
    mkdirSync(project.layout.root, { mode: 0o700 });
    await project.run(["test", "ops"]);
    await status(project);
    const before = compiledOf(project);
    if (hasCache) expect(before.size).toBeGreaterThan(5);
    else expect([...before.keys()]).toEqual([]);
    expect([...before.keys()].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
    await status(project);
    expect([...compiledOf(project)].filter(([path, bytes]) => before.get(path)?.equals(bytes) !== true)).toEqual([]);
  });

  it.runIf(hasCache)("are made again when a file of them is damaged", async () => {
    const { project, stdout } = await usedProject();
    for (const [index, [path, bytes]] of [...compiledOf(project)].entries()) {
      writeFileSync(path, index % 2 === 0 ? bytes.subarray(0, bytes.length / 2) : bytes.map((byte) => byte ^ 1));
    }
    const damaged = compiledOf(project);
    expect(await status(project)).toBe(stdout);
    expect(await status(project)).toBe(stdout);
    const after = compiledOf(project);
    expect([...damaged].filter(([path, bytes]) => after.get(path)?.equals(bytes) !== false)).toEqual([]);
  });

  it("are neither read nor written where other users may write", async () => {
    const { project, stdout } = await usedProject();
    chmodSync(project.layout.root, 0o777);
    for (const path of compiledOf(project).keys()) writeFileSync(path, "");
    expect(await status(project)).toBe(stdout);
    expect([...compiledOf(project).values()].every((bytes) => bytes.length === 0)).toBe(true);
  });

  it("make no state folder", async () => {
    const project = temporaryProject();
    await status(project);
    expect(existsSync(project.layout.root)).toBe(false);
  });
});
