import type { Level } from "../model/level.ts";

/** The colour a level has wherever a vendor takes any colour, as `#RRGGBB`. */
export const levelColours: Record<Level, string> = {
  info: "#439FE0",
  success: "#2EB67D",
  attention: "#E8A317",
  error: "#D64545",
};

/** The same colours as characters, for vendors that show nothing but text. */
export const levelMarks: Record<Level, string> = { info: "🔵", success: "🟢", attention: "🟡", error: "🔴" };
