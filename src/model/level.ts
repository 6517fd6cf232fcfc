// How much an event matters to the person.
/** The levels, from least to most important. */
export const levels = ["info", "success", "attention", "error"] as const;
export type Level = (typeof levels)[number];
