import { codeOf, describeWriteError } from "../model/errors.ts";
import { readIfThere } from "../system/files.ts";
import { isLink } from "../system/is-link.ts";

/** A rules file's text, undefined where there is none; or why it cannot be read. */
export type RulesFileReading = { text: string | undefined } | { unreadable: string };

/** Reads a rules file. A link that leads nowhere is no missing file: somebody meant rules to be there. */
export function readRulesFile(path: string): RulesFileReading {
  try {
    const text = readIfThere(path);
    return text === undefined && isLink(path)
      ? { unreadable: "it is a broken link: what it points to is not there" }
      : { text };
  } catch (error) {
    return { unreadable: codeOf(error) === "EISDIR" ? "it is a folder" : describeWriteError(error) };
  }
}
