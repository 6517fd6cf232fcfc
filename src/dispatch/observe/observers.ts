// The observers; each can be left out.
import { processGone } from "../../outbox/current-sessions.ts";
import type { Observer } from "./observer.ts";
import { createTurnStopped } from "./turn-stopped.ts";

/** The first that sees something has the say. */
export function createObservers(): readonly Observer[] {
  return [createTurnStopped(), processGone];
}
