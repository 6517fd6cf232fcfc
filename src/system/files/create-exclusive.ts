// Makes a file of which one of many processes is the maker.
import { closeSync, futimesSync, linkSync, openSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { asidePrefix, tryToRemove, uniqueName } from "./files.ts";
import { naming, privateFileMode } from "./write.ts";

/** `link(2)` fails with these on file systems without hard links. */
const answersWithoutLinks: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "EACCES",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EXDEV",
]);

/** Times are milliseconds since the epoch. With hard links, no process sees half of it. */
export function createExclusive(path: string, content: string, mtimeMs: number): boolean {
  const aside = join(dirname(path), `${asidePrefix}${uniqueName(Date.now())}`);
  try {
    writeFileSync(aside, content, { flag: "wx", mode: privateFileMode });
    utimesSync(aside, mtimeMs / 1000, mtimeMs / 1000);
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    const isLinkless = error instanceof Error && "syscall" in error && error.syscall === "link";
    if (isLinkless && answersWithoutLinks.has(codeOf(error))) return createWithoutLinks(path, content, mtimeMs);
    throw naming(error, path);
  } finally {
    tryToRemove(aside);
  }
}

/** Others may see the file before its content. */
function createWithoutLinks(path: string, content: string, mtimeMs: number): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "wx", privateFileMode);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(descriptor, content);
    futimesSync(descriptor, mtimeMs / 1000, mtimeMs / 1000);
    return true;
  } catch (error) {
    tryToRemove(path);
    throw naming(error, path);
  } finally {
    closeSync(descriptor);
  }
}
