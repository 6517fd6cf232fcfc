// Reads strict JSON of other programs, and says where it is wrong without quoting it: the file may be a link to a secret.
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Position, positionOf } from "./position.ts";

/** `fault` is a sentence without a full stop; there is no position where the text has no place to point at. */
export type StrictReading = { value: unknown } | { fault: string; position?: Position };

export function readStrictJson(text: string): StrictReading {
  // Other encodings become such characters when they are read as UTF-8.
  if (text.startsWith("\uFFFD") || text.includes("\0")) return { fault: "it is not UTF-8 text" };
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "") return { fault: "it is empty" };
  try {
    return { value: JSON.parse(plain) };
  } catch {
    return faultOf(text);
  }
}

function faultOf(text: string): StrictReading {
  const errors: ParseError[] = [];
  try {
    // A blank instead of the byte order mark keeps every offset.
    parseTree(text.replace(/^\uFEFF/, " "), errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return { fault: "it is nested too deeply" };
  }
  const [first] = errors;
  // JSON.parse is stricter about characters within a text.
  if (first === undefined) return { fault: "it is not JSON" };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`);
  return { fault: `it is not JSON (${words.toLowerCase()})`, position: positionOf(text, first.offset) };
}
