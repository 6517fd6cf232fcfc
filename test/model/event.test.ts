import { expect, it } from "vitest";
import { type Level, levelOfEvent, possibleLevels } from "../../src/model/level.ts";

it.each<[name: string, reason: string | undefined, level: Level]>([
  ["Notification", undefined, "attention"],
  ["PermissionRequest", undefined, "attention"],
  ["Stop", undefined, "success"],
  ["StopFailure", "rate_limit", "error"],
  ["SubagentStop", "error", "info"],
  ["SessionEnd", "error", "error"],
  ["SessionEnd", "Crashed: EPIPE", "error"],
  ["SessionEnd", "ProviderFailure", "error"],
  ["SessionEnd", "prompt_input_exit", "info"],
  ["SessionEnd", "other", "info"],
  ["SessionEnd", undefined, "info"],
  ["constructor", undefined, "info"],
])("gives %s (%s) the level %s, which is a possible one", (name, reason, level) => {
  expect(levelOfEvent(name, reason)).toBe(level);
  expect(possibleLevels(name)).toContain(level);
});
