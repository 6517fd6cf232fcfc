import { describeWriteError } from "../model/errors.ts";
import { readIfThere, statIfThere } from "../system/files/files.ts";
import { isLink } from "../system/files/inspect-path.ts";
import { maxRulesBytes } from "./problems/document.ts";

/** A rules file's text, undefined where there is none; or why it cannot be read. */
export type RulesFileReading = { text: string | undefined } | { unreadable: string };

/** Reads a rules file. A link that leads nowhere is no missing file: somebody meant rules to be there. */
export function readRulesFile(path: string): RulesFileReading {
  try {
    const stats = statIfThere(path);
    // A pipe that nobody writes to would hold up every delivery, and a device may never end.
    if (stats?.isFile === false)
      return { unreadable: "it is no file, but a folder, a pipe, a device or a link to itself" };
    if (stats !== undefined && stats.bytes > maxRulesBytes) {
      return { unreadable: `it has ${stats.bytes} bytes; a rules file has at most ${maxRulesBytes}` };
    }
    const text = readIfThere(path);
    return text === undefined && isLink(path)
      ? { unreadable: "it is a broken link: what it points to is not there" }
      : { text };
  } catch (error) {
    return { unreadable: describeWriteError(error) };
  }
}
