import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findWorkTree } from "../../../src/system/files/git.ts";
import { readIfThere, readJson, readStartIfThere } from "../../../src/system/files/read.ts";
import { openSettingsFile } from "../../../src/system/files/settings-file.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

describe.runIf(process.platform === "linux")("a file that never ends", () => {
  it("is read up to a limit, and never as a whole", () => {
    const folder = temporaryFolder();
    const link = join(folder, "HEAD");
    symlinkSync("/proc/self/pagemap", link);
    expect(() => readIfThere(link)).toThrow("is too large to read");
    expect(readStartIfThere(link, 4096)).toHaveLength(4096);
    expect(readJson(link, { safeParse: () => ({ data: 1 }) })).toBeUndefined();
    expect(openSettingsFile(link, 1023)).toEqual({ unusable: "tooLarge", detail: "over 1023 bytes" });
    const tree = join(folder, "tree");
    mkdirSync(join(tree, ".git"), { recursive: true });
    symlinkSync("/proc/self/pagemap", join(tree, ".git", "HEAD"));
    expect(findWorkTree(tree, folder)?.branch).toBeUndefined();
  });

  it("is refused if it is large and empty inside", () => {
    const path = join(temporaryFolder(), "sparse");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
    expect(() => readIfThere(path)).toThrow("is too large to read");
    expect(openSettingsFile(path, 1000)).toMatchObject({ unusable: "tooLarge" });
  });
});
