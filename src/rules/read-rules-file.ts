// Reads the text of a rules file.
import { describeWriteError } from "../model/errors.ts";
import { statIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { findDistrust, isLink } from "../system/files/inspect-path.ts";
import { maxRulesBytes } from "./problems/document.ts";

/** The text, undefined if there is no file; or why it cannot be read. */
export type RulesFileReading = { text: string | undefined } | { unreadable: string };

/** A dangling link is an error, not a missing file: it was meant to lead to rules. */
export function readRulesFile(path: string): RulesFileReading {
  try {
    const stats = statIfThere(path);
    // Reading a pipe or a device may never end.
    if (stats?.isFile === false)
      return { unreadable: "it is not a file but a directory, a pipe, a device or a link to itself" };
    if (stats !== undefined && stats.bytes > maxRulesBytes) {
      return { unreadable: `it has ${stats.bytes} bytes; the maximum is ${maxRulesBytes}` };
    }
    // Rules run programs.
    const distrust = findDistrust(path);
    if (distrust !== undefined) {
      return { unreadable: `${distrust.path} ${distrust.why}; to use it: ${distrust.fix}` };
    }
    const text = readIfThere(path);
    return text === undefined && isLink(path)
      ? { unreadable: "it is a broken link: its target does not exist" }
      : { text };
  } catch (error) {
    return { unreadable: describeWriteError(error) };
  }
}
