// The end of a turn, and its payload, as templates and messages are made of them.
import type { AgentEvent } from "../../../src/model/event.ts";

export const event: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "droid",
  session: "fa10ab0b-636c-4ce1-bebd-002923d2cae9",
  cwd: "/srv/shop-web",
  project: "shop-web",
  host: "box",
  at: new Date(2026, 10, 21, 9, 5, 59).toISOString(),
  level: "success",
  message: "All tests pass.",
  durationMs: 185_000,
};
export const payload = {
  tool_name: "Bash",
  tool_input: { command: "npm test", dry: false, tries: 3, nothing: null },
  items: [{ name: "first" }, { name: "second" }],
  "odd key": "odd",
};
