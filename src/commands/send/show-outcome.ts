import type { Outcome } from "../../model/outcome.ts";
import { paint } from "../console/text.ts";

/** `delivered in 12 ms` or `failed (reason) after 12 ms: detail`, or that nobody knows; in colour where that is wanted. */
export function showOutcome(io: { isColor: boolean }, outcome: Outcome, ms: number): string {
  const detail = outcome.detail === undefined || outcome.detail === "" ? "" : `: ${outcome.detail}`;
  if (outcome.status === "failed" && outcome.reason === "unknown") {
    const after = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
    return `${paint(io, "red", "failed")}: no clear answer within ${after}, so nobody knows whether it arrived${detail}`;
  }
  return outcome.status === "delivered"
    ? `${paint(io, "green", "delivered")} in ${ms} ms${detail}`
    : `${paint(io, "red", "failed")} (${outcome.reason}) after ${ms} ms${detail}`;
}
