/** How much an event matters to the person; the order is from least to most. */
export const levels = ["info", "success", "attention", "error"] as const;
export type Level = (typeof levels)[number];
