/** Lowest first; a place may import from lines above its own and from itself. */
export const ranks = [
  ["src/model"],
  ["src/system"],
  ["src/agents", "src/channels"],
  ["src/outbox"],
  ["src/rules", "src/install"],
  ["src/dispatch"],
  ["src/commands"],
  ["src", "demo", "bench"],
];
export const rankOf = new Map(ranks.flatMap((row, rank) => row.map((place) => [place, rank] as const)));
