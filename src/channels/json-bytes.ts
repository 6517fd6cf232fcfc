import type { Measure } from "../model/text.ts";

/** What a well-formed text costs inside a JSON body: bytes of UTF-8, with its quotes, backslashes and line ends escaped. */
export const jsonBytes: Measure = (text) => Buffer.byteLength(JSON.stringify(text), "utf8") - 2;
