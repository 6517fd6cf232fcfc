// Reads the JSON of a settings file as strictly as the agent does.
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { WiringFile } from "../../agents/wiring.ts";
import { addByHand, contentProblem, type InstallProblem } from "../problem.ts";

/** `root` is undefined when the file is blank. */
export interface SettingsDocument {
  path: string;
  /** The byte order mark is not in it. */
  text: string;
  byteOrderMark: string;
  root: Node | undefined;
}

export type DocumentReading = { document: SettingsDocument } | { problems: InstallProblem[] };

const byteOrderMark = "\uFEFF";

type Problems = { problems: InstallProblem[] };

function wholeProblem(path: string): (message: string, hint: string) => Problems {
  return (message, hint) => ({ problems: [contentProblem({ path, text: "" }, undefined, message, hint)] });
}

/** The text of a settings file in UTF-8, without its byte order mark. */
export function readText(
  path: string,
  bytes: Uint8Array,
  file: Pick<WiringFile, "allowsByteOrderMark">,
): Pick<SettingsDocument, "text" | "byteOrderMark"> | Problems {
  const whole = wholeProblem(path);
  let decoded: string;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return whole(isUtf16 ? "this is UTF-16, not UTF-8" : "this is not UTF-8", "save the file as UTF-8 in your editor");
  }
  const mark = decoded.startsWith(byteOrderMark) ? byteOrderMark : "";
  if (mark !== "" && !file.allowsByteOrderMark) {
    return whole(
      "the file starts with a byte order mark, so the agent ignores all of it",
      'save it as "UTF-8 without BOM"',
    );
  }
  return { text: decoded.slice(mark.length), byteOrderMark: mark };
}

/** Reports every problem at once. */
export function readDocument(
  path: string,
  bytes: Uint8Array,
  file: Pick<WiringFile, "allowsComments" | "allowsByteOrderMark">,
): DocumentReading {
  const read = readText(path, bytes, file);
  if ("problems" in read) return read;
  const { text, byteOrderMark: mark } = read;
  if (/^[ \t\r\n]*$/.test(text)) return { document: { path, text, byteOrderMark: mark, root: undefined } };

  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: !file.allowsComments, allowTrailingComma: false });
    // Agents without comments use `JSON.parse`, which is stricter than this parser.
    if (errors.length === 0 && !file.allowsComments) JSON.parse(text);
  } catch (error) {
    const whole = wholeProblem(path);
    return error instanceof RangeError
      ? whole("the file is nested too deeply", `hookbell cannot edit it; ${addByHand}`)
      : whole("this is not JSON", "fix the file in an editor that knows JSON, then run this again");
  }
  if (errors.length > 0) return { problems: syntaxProblems({ path, text }, errors) };
  if (root?.type !== "object") {
    return {
      problems: [
        contentProblem(
          { path, text },
          root?.offset,
          `expected an object, found ${describeNode(root)}`,
          "the file must start with { and end with }",
        ),
      ],
    };
  }
  return { document: { path, text, byteOrderMark: mark, root } };
}

export function describeNode(node: Node | undefined): string {
  if (node === undefined) return "nothing";
  if (node.type === "null") return "null";
  return node.type === "array" || node.type === "object" ? `an ${node.type}` : `a ${node.type}`;
}

const maxSyntaxProblems = 5;

const comment = "InvalidCommentToken";

/** All comments and trailing commas are reported, but only the first other mistake: the rest follows from it. */
function syntaxProblems(source: { path: string; text: string }, errors: ParseError[]): InstallProblem[] {
  const named = errors.map(({ error, offset }) => ({ name: printParseErrorCode(error), offset }));
  const isPlain = (each: { name: string; offset: number }): boolean =>
    each.name !== comment && !isTrailingComma(source.text, each.offset);
  const firstPlain = named.find(isPlain);
  return (
    named
      .filter((each) => each === firstPlain || !isPlain(each))
      // The parser may report two problems at one place.
      .filter(({ offset }, index, all) => all.findIndex((other) => other.offset === offset) === index)
      .slice(0, maxSyntaxProblems)
      .map(({ name, offset }) => contentProblem(source, offset, ...syntaxMessage(name, source.text, offset)))
  );
}

function syntaxMessage(name: string, text: string, offset: number): [message: string, hint: string] {
  if (name === comment) {
    return [
      "a comment, and this agent reads strict JSON: it ignores the whole file",
      "remove the comment, then run this again",
    ];
  }
  if (isTrailingComma(text, offset)) {
    return [
      "a comma before the closing bracket: the agent ignores the whole file",
      "remove the comma, then run this again",
    ];
  }
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return [`this is not JSON (${words})`, "fix it or restore a backup, then run this again"];
}

function isTrailingComma(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 400), offset);
  return (
    /^[}\]]/.test(text.slice(offset, offset + 1)) &&
    /,(?:\s|\/\/[^\r\n]*(?:[\r\n]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.test(before)
  );
}
