// Events that say how full a context, a limit or a budget is. Each comes once for each step that is passed.
import { formatLocalTime } from "../../model/figures/duration.ts";
import type { PayloadFacts, Payload } from "./agent.ts";
import { isIsoTime } from "./values.ts";
import { textOf } from "../../model/json.ts";

type MeasureFacts = Pick<PayloadFacts, "headline" | "message" | "reason" | "notificationType">;

/**
 * `ContextHigh`: `percent`, `step`, `tokens` and `window` (tokens). `LimitHigh`: `percent`, `step`, `limit` (such as
 * `five_hour`) and `resets_at` (ISO 8601). `CostHigh`: `usd` and `step`. A figure that is no number is left out.
 */
export function measureFacts(eventName: string, payload: Payload, agentName: string): MeasureFacts | undefined {
  return Object.hasOwn(readers, eventName) ? readers[eventName]?.(payload, agentName) : undefined;
}

const readers: Readonly<Record<string, (payload: Payload, agentName: string) => MeasureFacts>> = {
  ContextHigh({ percent, step, tokens, window }) {
    const share = wholeOf(percent);
    const [used, size] = [wholeOf(tokens), wholeOf(window)];
    return {
      headline: share === undefined ? undefined : `context is ${share}% full`,
      message: used === undefined || size === undefined ? undefined : `${used} of ${size} tokens are used.`,
      reason: stepOf(step, (passed) => `${passed}%`),
    };
  },
  LimitHigh({ percent, step, limit, resets_at: resetsAt }) {
    const share = wholeOf(percent);
    const resetMs = isIsoTime(resetsAt) ? Date.parse(String(resetsAt)) : Number.NaN;
    const name = textOf(limit);
    const which = name === undefined || limitNames[name] === undefined ? "" : `${limitNames[name]} `;
    return {
      headline: share === undefined ? undefined : `${which}limit ${share}% used`,
      message: Number.isNaN(resetMs) ? undefined : `It resets at ${formatLocalTime(resetMs).slice(0, 16)}.`,
      reason: stepOf(step, (passed) => `${passed}%`),
      notificationType: name,
    };
  },
  CostHigh({ usd, step }, agentName) {
    const isAmount = typeof usd === "number" && Number.isFinite(usd) && usd >= 0;
    return {
      headline: isAmount ? `cost about $${usd.toFixed(2)}` : undefined,
      message: isAmount ? `${agentName} estimates it; it is not the bill.` : undefined,
      reason: stepOf(step, (passed) => `$${passed}`),
    };
  },
};

const limitNames: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  five_hour: "five-hour",
  seven_day: "weekly",
  spend_limit: "spending",
});

/** `172,000`. Loading the locales for it would take longer than the rest of the hook. */
function wholeOf(value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0 || value > 1e12) return undefined;
  const digits = String(Math.floor(value));
  const first = digits.slice(0, digits.length % 3);
  return [first, ...(digits.slice(first.length).match(/\d{3}/g) ?? [])].filter((group) => group !== "").join(",");
}

function stepOf(value: unknown, name: (step: string) => string): string | undefined {
  const step = wholeOf(value);
  return step === undefined ? undefined : name(step);
}
