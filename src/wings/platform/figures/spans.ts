// How days are put together. Help needs the words without what uses them.

export const spans = ["day", "week", "month"] as const;
export type UsageSpan = (typeof spans)[number];
