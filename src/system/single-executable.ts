// What the single executable carries: the files of hookbell's package, by their paths in it.
import { dirname, join } from "node:path";
import { describeWriteError } from "../model/errors.ts";
import {
  asidePrefix,
  ensurePrivateDir,
  isOurs,
  removeTree,
  renameIfThere,
  renameWithRetry,
  uniqueName,
} from "./files/files.ts";
import { readIfThere } from "./files/read.ts";
import { writeWholeSoon } from "./files/write.ts";

/** https://nodejs.org/api/single-executable-applications.html, as of Node 26; `@types/node` describes an older one. */
export interface CarriedFiles {
  getAssetKeys(): string[];
  getAsset(key: string): ArrayBuffer;
  getAsset(key: string, encoding: "utf8"): string;
}

/** A digest of all the other files. */
const digestName = "digest";

/**
 * Puts the package into the state folder unless it is there; returns its folder, which keeps its path from version to version, since
 * hooks name it. Throws an error with a sentence if the files cannot be written.
 */
export function unpackCarriedPackage(stateDir: string, carried: CarriedFiles = filesOfThisProgram()): string {
  const folder = join(stateDir, "program");
  const digest = carried.getAsset(digestName, "utf8");
  if (isUnpacked(folder, digest)) return folder;
  const aside = join(stateDir, `${asidePrefix}program-${uniqueName(Date.now())}`);
  try {
    for (const name of carried.getAssetKeys()) {
      const path = join(aside, name);
      ensurePrivateDir(dirname(path));
      writeWholeSoon(path, new Uint8Array(carried.getAsset(name)), 0o700);
    }
    putInPlace(aside, folder, digest);
  } catch (error) {
    throw new Error(`the package cannot be unpacked into ${folder}: ${describeWriteError(error)}`, { cause: error });
  } finally {
    removeTree(aside);
  }
  return folder;
}

function isUnpacked(folder: string, digest: string): boolean {
  return isOurs(folder) && readIfThere(join(folder, digestName)) === digest;
}

/** Another process may do the same at this moment, and then the folder is filled. */
function putInPlace(aside: string, folder: string, digest: string): void {
  const old = `${aside}.old`;
  try {
    renameIfThere(folder, old);
    renameWithRetry(aside, folder);
  } catch (error) {
    if (!isUnpacked(folder, digest)) throw error;
  } finally {
    removeTree(old);
  }
}

function filesOfThisProgram(): CarriedFiles {
  return process.getBuiltinModule("node:sea") as unknown as CarriedFiles;
}
