// Reads the values of a TOML file.
import { getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";

/** Undefined if the text is not TOML. */
export function tomlValues(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return getStaticTOMLValue(parseTOML(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return undefined;
  }
}
