// Parses TOML: the one use of toml-eslint-parser.
import { type AST, parseTOML } from "toml-eslint-parser";

/** The parser needs a second for four times as much. Settings of thousands of projects are smaller. */
const maxTomlLength = 256 * 1024;

/** `index` is in UTF-16 units; absent where the fault has no place. */
export interface TomlProblem {
  message: string;
  index?: number | undefined;
}

/** A byte order mark counts as a blank. */
export function parseToml(text: string): { program: AST.TOMLProgram } | { problem: TomlProblem } {
  if (text.length > maxTomlLength) {
    return {
      problem: { message: `the file has ${text.length} characters; the most that hookbell reads is ${maxTomlLength}` },
    };
  }
  try {
    return { program: parseTOML(text.replace(/^\uFEFF/, " ")) };
  } catch (error) {
    if (error instanceof RangeError)
      return { problem: { message: "a part of the file is too long or nested too deeply" } };
    const { index, message } = error as { index?: number; message: string };
    return { problem: { message: `this is not TOML (${message.toLowerCase()})`, index } };
  }
}
