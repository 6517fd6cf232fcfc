// Reads the JSON of a settings file as strictly as the agent does.
import { printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { HooksFile } from "../../agents/hook-setup.ts";
import { parseJson } from "../../model/json.ts";
import { deepest, parseJsonc } from "../../jsonc/parse.ts";
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
  file: Pick<HooksFile, "allowsByteOrderMark">,
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
  file: Pick<HooksFile, "allowsComments" | "allowsByteOrderMark">,
): DocumentReading {
  const read = readText(path, bytes, file);
  if ("problems" in read) return read;
  const { text, byteOrderMark: mark } = read;
  if (/^[ \t\r\n]*$/.test(text)) return { document: { path, text, byteOrderMark: mark, root: undefined } };

  const allowsComments = file.allowsComments === true;
  const { root, errors, tooDeepAt } = parseJsonc(text, { allowsComments, allowsTrailingCommas: false });
  if (tooDeepAt !== undefined) {
    const message = `the file is nested too deeply: more than ${deepest} levels`;
    return {
      problems: [contentProblem({ path, text }, tooDeepAt, message, `hookbell cannot edit it; ${addByHand}`)],
    };
  }
  if (errors.length > 0) return { problems: syntaxProblems({ path, text }, errors) };
  // Agents without comments use `JSON.parse`, which is stricter than this parser.
  if (!allowsComments && parseJson(text) === undefined) {
    return wholeProblem(path)("this is not JSON", "fix the file in an editor that knows JSON, then run this again");
  }
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

/**
 * All comments and trailing commas are reported, but only the first other mistake: the rest follows from it. Reading stops
 * once enough is reported.
 */
function syntaxProblems(source: { path: string; text: string }, errors: readonly ParseError[]): InstallProblem[] {
  const problems: InstallProblem[] = [];
  let hasPlain = false;
  let reportedAt = -1;
  for (const { error, offset } of errors) {
    if (problems.length === maxSyntaxProblems) break;
    const name = printParseErrorCode(error);
    const isPlain = name !== comment && !isTrailingComma(source.text, offset);
    // The parser may report two problems at one place.
    if ((isPlain && hasPlain) || offset === reportedAt) continue;
    hasPlain ||= isPlain;
    reportedAt = offset;
    problems.push(contentProblem(source, offset, ...syntaxMessage(name, source.text, offset)));
  }
  return problems;
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
