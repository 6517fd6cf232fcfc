// The measures that the platform's document names without a formula: credits, tiers, autonomy. docs/reference/SERVER.md explains them.
import { autonomyLevels, type AutonomyLevel } from "../../../../model/usage.ts";
import type { TokensRow } from "../../contract/analytics.ts";
import { ofKind, type Counts } from "./counts.ts";

/** What a token of the prompt cache costs, in parts of an input token. */
const cacheReadFactor = 0.1;
const cacheWriteFactor = 1.25;

type ModelRow = TokensRow["by_model"][number] & { model_tier: "standard" | "thinking" };

/** The tokens of each model; the one with the most credits first. */
export function modelRows(counts: Counts): ModelRow[] {
  const models = new Set(
    ["input", "output", "read", "write"].flatMap((kind) => ofKind(counts, kind).map(([name]) => name)),
  );
  return [...models]
    .map((model): ModelRow => {
      const of = (kind: string): number => counts[`${kind}:${model}`] ?? 0;
      const credits = of("input") + of("output") + of("read") * cacheReadFactor + of("write") * cacheWriteFactor;
      return {
        model_id: model,
        model_tier: of("thinking") * 2 > of("request") ? "thinking" : "standard",
        billable_tokens: Math.round(credits * 100) / 100,
        input_tokens: of("input"),
        output_tokens: of("output"),
      };
    })
    .sort((a, b) => b.billable_tokens - a.billable_tokens || (a.model_id < b.model_id ? -1 : 1));
}

/** The model with the most requests. */
export function primaryModel(counts: Counts): ModelRow | undefined {
  const [most] = ofKind(counts, "request").sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return modelRows(counts).find(({ model_id }) => model_id === most?.[0]);
}

/** The level of most tool calls; of equals, the freer one. Manual while none is known. */
export function delegationLevel(counts: Counts): AutonomyLevel {
  let best: AutonomyLevel = "manual";
  for (const level of autonomyLevels.toReversed()) {
    if ((counts[`level:${level}`] ?? 0) >= Math.max(1, counts[`level:${best}`] ?? 0)) best = level;
  }
  return best;
}

/** The nearest rank; 0 without values. */
export function percentile(values: readonly number[], percent: number): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.max(0, Math.ceil((percent / 100) * ordered.length) - 1)] ?? 0;
}

/** The ratio has four decimals; 0 of nothing. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
