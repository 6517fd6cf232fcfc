import type { Outcome } from "../model/outcome.ts";
import { paint } from "./colors.ts";

/** `delivered` or `failed (reason): detail`, in colour where that is wanted. */
export function showOutcome(io: { isColor: boolean }, outcome: Outcome): string {
  const detail = outcome.detail === undefined || outcome.detail === "" ? "" : `: ${outcome.detail}`;
  return outcome.status === "delivered"
    ? `${paint(io, "green", "delivered")}${detail}`
    : `${paint(io, "red", "failed")} (${outcome.reason})${detail}`;
}
