import type { Outcome } from "../../model/outcome.ts";

/** An outcome as `--json` prints it, with the time it took beside it. */
export function outcomeAsJson(outcome: Outcome): { outcome: Outcome["status"]; reason?: string; detail?: string } {
  return {
    outcome: outcome.status,
    ...(outcome.status === "failed" ? { reason: outcome.reason } : {}),
    ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
  };
}
