// How wide a text is on a screen.
import getTruncatedWidth from "fast-string-truncated-width";
import type { Measure } from "../text.ts";

/** East Asian characters and emoji are two columns wide. */
export const columnsOf: Measure = (text) => getTruncatedWidth(text).width;
