// How much an event matters to the person. It needs no library, since --help reads it.

/** The levels, from least to most. */
export const levels = ["info", "success", "attention", "error"] as const;
export type Level = (typeof levels)[number];

const levelByEventName: Record<string, Level> = {
  Notification: "attention",
  PermissionRequest: "attention",
  Stop: "success",
  StopFailure: "error",
  CreditBudget: "attention",
  ReadinessRegression: "attention",
  LimitHigh: "attention",
  LimitReached: "attention",
  Stuck: "attention",
  HookChanged: "attention",
};

const brokenReason = /error|fail|crash/i;

export function levelOfEvent(name: string, reason?: string): Level {
  const [usual] = possibleLevels(name);
  return canBreak.has(name) && brokenReason.test(reason ?? "") ? "error" : usual;
}

const canBreak: ReadonlySet<string> = new Set(["SessionEnd", "ComputerInstall"]);

/** The usual level comes first. */
export function possibleLevels(name: string): readonly [Level, ...Level[]] {
  if (canBreak.has(name)) return ["info", "error"];
  if (name === "Notification") return ["attention", "info", "success", "error"];
  // The name may be `constructor`.
  return [Object.hasOwn(levelByEventName, name) ? (levelByEventName[name] ?? "info") : "info"];
}
