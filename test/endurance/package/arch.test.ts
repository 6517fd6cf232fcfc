// The PKGBUILD of a release, built by Arch's own makepkg from the tarball that npm packs.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageFiles } from "../../../scripts/release/packages.mjs";
import { version } from "../../../src/system/version.ts";
import { isRegistryReachable, npmEnv } from "../../support/home/npm.ts";
import { packCopy } from "../../support/home/packed-hookbell.ts";
import { describeWithParts } from "../../support/parts.ts";

const folder = mkdtempSync(join(tmpdir(), "hookbell-arch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
/** makepkg refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;

describeWithParts(
  "Arch's package",
  ["makepkg", "bsdtar", "fakeroot", ...(isRegistryReachable() ? [] : ["npm-registry"])],
  () => {
    it("is built, belongs to root, knows nothing of where it was built, and runs", () => {
      const { filename } = packCopy(folder);
      const tarball = readFileSync(join(folder, filename));
      const facts = JSON.parse(readFileSync(join(folder, "copy/package.json"), "utf8")) as Parameters<
        typeof packageFiles
      >[0];
      const build = join(folder, "build");
      mkdirSync(build);
      writeFileSync(join(build, filename), tarball);
      writeFileSync(
        join(build, "PKGBUILD"),
        packageFiles(facts, createHash("sha256").update(tarball).digest("hex")).PKGBUILD ?? "",
      );
      chmodSync(folder, 0o711);
      if (unprivileged !== undefined) chownSync(build, unprivileged, unprivileged);
      // npm reads no settings of another user's.
      const registry = execFileSync("npm", ["config", "get", "registry"], { env: npmEnv(), encoding: "utf8" }).trim();
      const own = { HOME: build, npm_config_registry: registry, npm_config_userconfig: "/dev/null" };
      const env = { ...process.env, ...own, npm_config_update_notifier: "false", PKGEXT: ".pkg.tar.gz" };
      const ended = spawnSync("makepkg", ["--nodeps"], {
        cwd: build,
        env,
        encoding: "utf8",
        uid: unprivileged,
        gid: unprivileged,
      });
      expect(ended, `${ended.stdout}${ended.stderr}`).toMatchObject({ status: 0 });

      const made = readdirSync(build).find((name) => name.endsWith(".pkg.tar.gz")) ?? "";
      expect(made).toBe(`hookbell-${version.replaceAll("-", "")}-1-any.pkg.tar.gz`);
      const listed = execFileSync("bsdtar", ["-tvf", made], { cwd: build, encoding: "utf8" }).trimEnd().split("\n");
      expect(listed.filter((line) => !/^\S+ +0 root +root /.test(line))).toEqual([]);
      const system = join(folder, "system");
      mkdirSync(system);
      execFileSync("bsdtar", ["-xf", join(build, made), "-C", system, "usr"]);
      expect(spawnSync("grep", ["-rl", build, "usr"], { cwd: system, encoding: "utf8" }).stdout).toBe("");
      expect(readFileSync(join(system, "usr/share/man/man1/hookbell.1"), "utf8")).toContain("hookbell");
      expect(readFileSync(join(system, "usr/share/licenses/hookbell/LICENSE"), "utf8")).toContain("MIT");
      expect(execFileSync(join(system, "usr/bin/hookbell"), ["--version"], { encoding: "utf8" })).toBe(`${version}\n`);
    });
  },
);
