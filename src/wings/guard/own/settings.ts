// hookbell's own rules file, as far as another program may have changed it: what it says, without order, comments and blanks.
import { getNodeValue } from "jsonc-parser";
import { parseJsonc } from "../../../jsonc/parse.ts";
import { sha256 } from "../../../system/crypto.ts";
import { inOrder } from "../../../model/json.ts";
import { wroteRules } from "../../../rules/edit/written-rules.ts";
import { readIfThere } from "../../../system/files/read.ts";

export interface RulesAsWritten {
  /** A digest of what the file says; "none" where there is no file. */
  digest: string;
  /** A command of hookbell wrote it. */
  isOwn: boolean;
}

/** Undefined while the file cannot be read as a whole. */
export function readOwnRules(rulesFile: string, stateDir: string): RulesAsWritten | undefined {
  let text: string | undefined;
  try {
    text = readIfThere(rulesFile);
  } catch {
    return undefined;
  }
  if (text === undefined) return { digest: "none", isOwn: false };
  const { root, errors } = parseJsonc(text);
  if (root === undefined || errors.length > 0) return undefined;
  return { digest: sha256(JSON.stringify(inOrder(getNodeValue(root)))), isOwn: wroteRules(stateDir, text) };
}
