import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CarriedFiles, unpackCarriedPackage } from "../../src/system/single-executable.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

/** As `node:sea` gives them. */
function carrying(files: Record<string, string>): CarriedFiles {
  const bytesOf = (key: string): Buffer => Buffer.from(files[key] ?? "");
  return {
    getAssetKeys: () => Object.keys(files),
    getAsset: ((key: string, encoding?: "utf8") =>
      encoding === undefined
        ? new Uint8Array(bytesOf(key)).buffer
        : bytesOf(key).toString()) as CarriedFiles["getAsset"],
  };
}

const first = carrying({ digest: "1", "dist/cli.js": "one", "dist/chunks/old.js": "old" });
const second = carrying({ digest: "2", "dist/cli.js": "two" });

describe("the package that the single executable carries", () => {
  it("is unpacked into the state folder, and nothing else with it", () => {
    const stateDir = join(temporaryFolder(), "state");
    const folder = unpackCarriedPackage(stateDir, first);
    expect(readFileSync(join(folder, "dist", "cli.js"), "utf8")).toBe("one");
    expect(readdirSync(stateDir)).toEqual(["program"]);
  });

  it("is unpacked where no other user can write (posix)", () => {
    const folder = unpackCarriedPackage(join(temporaryFolder(), "state"), first);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("is written once", () => {
    const stateDir = temporaryFolder();
    const path = join(unpackCarriedPackage(stateDir, first), "dist", "cli.js");
    utimesSync(path, 1, 1);
    unpackCarriedPackage(stateDir, first);
    expect(statSync(path).mtimeMs).toBe(1000);
  });

  it("is replaced by that of another version, at the path that hooks name", () => {
    const stateDir = temporaryFolder();
    const folder = unpackCarriedPackage(stateDir, first);
    expect(unpackCarriedPackage(stateDir, second)).toBe(folder);
    expect(readFileSync(join(folder, "dist", "cli.js"), "utf8")).toBe("two");
    expect(existsSync(join(folder, "dist", "chunks"))).toBe(false);
    expect(readdirSync(stateDir)).toEqual(["program"]);
  });

  it("is written anew where others may have changed it (posix)", () => {
    const stateDir = temporaryFolder();
    const folder = unpackCarriedPackage(stateDir, first);
    writeFileSync(join(folder, "dist", "cli.js"), "foreign");
    chmodSync(folder, 0o777);
    unpackCarriedPackage(stateDir, first);
    expect(readFileSync(join(folder, "dist", "cli.js"), "utf8")).toBe("one");
  });

  it("says where it cannot be written", () => {
    const stateDir = temporaryFolder();
    writeFileSync(join(stateDir, "file"), "");
    expect(() => unpackCarriedPackage(join(stateDir, "file"), first)).toThrow(
      /^the package cannot be unpacked into .*program: /,
    );
    expect(readdirSync(stateDir)).toEqual(["file"]);
  });
});
