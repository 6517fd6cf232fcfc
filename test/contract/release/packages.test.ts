// The packages of other systems: each is judged by its own linter, where Debian or npm has it.
import { spawnSync } from "node:child_process";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { packageFiles } from "../../../scripts/release/packages.mjs";
import { version } from "../../../src/system/version.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const facts = JSON.parse(read("package.json")) as Parameters<typeof packageFiles>[0];
const digest = "a".repeat(64);
const files = packageFiles(facts, digest);

/** makepkg refuses to run as root, so everything here runs as a user without rights. */
const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;

/** What a linter says of a file with this text; nothing if it finds no fault and ends with 0. */
function complaintsOf(argv: readonly string[], name: string, text: string): string {
  const { status, output } = runBeside(argv, { [name]: text });
  return status === 0 ? "" : output;
}

/** Runs a program in a folder with these files; it may not be able to read this one. */
function runBeside([program = "", ...args]: readonly string[], texts: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  if (unprivileged !== undefined) chownSync(folder, unprivileged, unprivileged);
  const env = { ...process.env, HOME: folder };
  const ended = spawnSync(program, args, { cwd: folder, encoding: "utf8", env, uid: unprivileged, gid: unprivileged });
  return { ...ended, output: `${ended.error?.message ?? ""}${ended.stdout}${ended.stderr}` };
}

describe("the formula and the PKGBUILD", () => {
  it.each(["hookbell.rb", "PKGBUILD"])("%s names the tarball of the release and its digest", (name) => {
    expect(files[name]).toContain(digest);
    expect(files[name]).toContain(
      name === "PKGBUILD" ? `_version=${version}\n` : `/v${version}/hookbell-${version}.tgz"`,
    );
  });
});

describeWithParts("the formula", ["ruby", "rubocop"], () => {
  // Homebrew's own style has double quotation marks, and neither a comment for the class nor one for frozen strings.
  const notHomebrews = ["Style/Documentation", "Style/FrozenStringLiteralComment", "Style/StringLiterals"];
  const rubocop = ["rubocop", "--force-default-config", "--cache", "false", "--except", notHomebrews.join(",")];

  it("is one that ruby and rubocop accept", () => {
    const formula = files["hookbell.rb"] ?? "";
    expect(complaintsOf(["ruby", "-c", "hookbell.rb"], "hookbell.rb", formula)).toBe("");
    expect(complaintsOf([...rubocop, "hookbell.rb"], "hookbell.rb", formula)).toBe("");
    expect(complaintsOf([...rubocop, "hookbell.rb"], "hookbell.rb", formula.replace('"npm", ', '"npm",'))).toMatch(
      /Layout\/SpaceAfterComma/,
    );
  });
});

describeWithParts("the PKGBUILD", ["makepkg", "shellcheck"], () => {
  // makepkg reads the variables that look unused, and sets those that look unset.
  const shellcheck = ["shellcheck", "--shell=bash", "--exclude=SC2034,SC2154", "PKGBUILD"];
  const pkgbuild = files.PKGBUILD ?? "";

  it("is one that makepkg reads, with a version that pacman can compare", () => {
    const { status, stdout } = runBeside(["makepkg", "--printsrcinfo"], { PKGBUILD: pkgbuild });
    expect(status).toBe(0);
    expect(stdout).toContain(`\tpkgver = ${version.replaceAll("-", "")}\n`);
    expect(stdout).toContain(`/v${version}/hookbell-${version}.tgz\n\tsha256sums = ${digest}\n`);
    const withHyphen = pkgbuild.replace("${_version//-/}", "1.0.0-rc.1");
    expect(complaintsOf(["makepkg", "--printsrcinfo"], "PKGBUILD", withHyphen)).toContain("pkgver is not allowed");
  });

  it("is one in which shellcheck finds no fault", () => {
    expect(complaintsOf(shellcheck, "PKGBUILD", pkgbuild)).toBe("");
    expect(complaintsOf(shellcheck, "PKGBUILD", pkgbuild.replace('"$pkgdir"', "$pkgdir"))).toContain("SC2086");
  });
});

describeWithParts("the flake", ["nix-instantiate"], () => {
  const offline = ["--store", "dummy://"];
  const outputs = `let
      lib = {
        licenses.mit.spdxId = "MIT";
        genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
      };
      pkgs = {
        inherit lib;
        buildNpmPackage = given: given;
        importNpmLock = { __functor = _: given: given; npmConfigHook = "hook"; };
      };
      legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (_: pkgs);
      made = (import ./flake.nix).outputs { self = ./.; nixpkgs = { inherit lib legacyPackages; }; };
    in
    builtins.mapAttrs (_: { default }: { inherit (default) pname version meta; }) made.packages`;

  it("is one that Nix parses", () => {
    const parse = ["nix-instantiate", ...offline, "--parse", "flake.nix"];
    expect(complaintsOf(parse, "flake.nix", read("flake.nix"))).toBe("");
    expect(complaintsOf(parse, "flake.nix", read("flake.nix").replace("};", "}"))).toContain("syntax error");
  });

  it("gives each system this version, read from package.json", () => {
    const evaluate = ["nix-instantiate", ...offline, "--eval", "--strict", "--json", "outputs.nix"];
    const texts = { "outputs.nix": outputs, "flake.nix": read("flake.nix"), "package.json": read("package.json") };
    const { stdout, output } = runBeside(evaluate, texts);
    expect(stdout, output).not.toBe("");
    const made = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(made)).toHaveLength(4);
    expect(made["x86_64-linux"]).toMatchObject({
      pname: "hookbell",
      version,
      meta: { mainProgram: "hookbell", license: { spdxId: facts.license } },
    });
  });
});

describe("the container", () => {
  const dockerfile = read("Dockerfile");
  const faultsOf = (text: string): unknown[] => validate(text).map(({ message }) => message);

  it("has a Dockerfile that its linter accepts", () => {
    expect(faultsOf(dockerfile)).toEqual([]);
    expect(faultsOf(dockerfile.replace("--interval", "--interval=1 --interval"))).not.toEqual([]);
    expect(faultsOf(dockerfile.replace("USER node", "USERS node"))).not.toEqual([]);
  });

  it("is pinned, not root, and asked whether it is well", () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = ""]) => base);
    expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}$/.test(base))).toEqual([]);
    expect(new Set(bases).size).toBe(1);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n {2}CMD .*\/openapi\.json/m);
  });
});
